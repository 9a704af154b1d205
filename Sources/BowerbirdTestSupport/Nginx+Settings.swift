import Glibc

/// The text of nginx's configuration. One worker, who is the one who started it and so may read what the test wrote.
/// (Without a master process nginx 1.22 crashes over sockets that it takes over.) All names are relative to its own
/// folder.
struct NginxSettings {
    var folder: String
    var port: Int
    var transport: Nginx.Transport
    var compresses: Bool
    var bytesPerSecond: Int?
    var keepsLog: Bool

    var text: String {
        """
        daemon off;
        \(geteuid() == 0 ? "user root;" : "")
        pid nginx.pid;
        events { worker_connections 512; }
        http {
            client_body_temp_path body;
            proxy_temp_path proxy;
            fastcgi_temp_path fastcgi;
            uwsgi_temp_path uwsgi;
            scgi_temp_path scgi;
            log_format request '$status $request_uri';
            access_log \(keepsLog ? "access.log request" : "off");
            default_type application/octet-stream;
            keepalive_requests 1000000;
            sendfile on;
            tcp_nopush on;
            \(compression)
            \(bytesPerSecond.map { "limit_rate \($0);" } ?? "")
            server { listen 127.0.0.1:\(port) \(listening); root "\(folder)"; \(certificate) }
        }

        """
    }

    private var listening: String {
        switch transport {
        case .plain: ""
        case .tls: "ssl"
        case .http2: "ssl http2"
        }
    }

    private var certificate: String {
        if transport == .plain { return "" }
        return "ssl_certificate \(Certificate.file); ssl_certificate_key \(Certificate.keyFile);"
    }

    private var compression: String { compresses ? "gzip on; gzip_types *; gzip_min_length 1;" : "" }
}

/// A certificate for 127.0.0.1 that signs itself.
enum Certificate {
    static let file = "certificate.pem"
    static let keyFile = "key.pem"

    struct Failure: Error, CustomStringConvertible {
        let description = "openssl made no certificate"
    }

    /// A curve's key is made in no time.
    static func make(in folder: TemporaryDirectory) throws {
        let silence = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(silence) }
        let status = try ChildProcess(
            [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
                "-keyout", "\(folder.path)/\(keyFile)", "-out", "\(folder.path)/\(file)",
            ], descriptors: [2: silence]
        ).wait()
        guard status == 0 else { throw Failure() }
    }
}
