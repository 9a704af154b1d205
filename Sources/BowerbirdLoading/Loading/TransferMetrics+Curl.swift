import CCurl

extension TransferMetrics {
    /// Those of the last transfer on `handle`. libcurl measures each step from the beginning.
    init(of handle: CurlHandle) {
        let hasAddress = handle.time(CURLINFO_NAMELOOKUP_TIME_T)
        let isConnected = handle.time(CURLINFO_CONNECT_TIME_T)
        let isSecure = handle.time(CURLINFO_APPCONNECT_TIME_T)
        nameLookup = hasAddress
        connect = max(.zero, isConnected - hasAddress)
        secure = max(.zero, isSecure - isConnected)
        firstByte = handle.time(CURLINFO_STARTTRANSFER_TIME_T)
        receivedByteCount = handle.offset(CURLINFO_SIZE_DOWNLOAD_T)
        let hasSent = handle.time(CURLINFO_PRETRANSFER_TIME_T) > .zero
        isReusedConnection = hasSent && handle.number(CURLINFO_NUM_CONNECTS) == 0
        protocolVersion = Self.versions[handle.number(CURLINFO_HTTP_VERSION)]
    }

    private static let versions = [
        Int(CURL_HTTP_VERSION_1_0): "1.0", Int(CURL_HTTP_VERSION_1_1): "1.1", Int(CURL_HTTP_VERSION_2_0): "2",
        Int(CURL_HTTP_VERSION_3): "3",
    ]
}

extension CurlHandle {
    fileprivate func time(_ info: CURLINFO) -> Duration { .microseconds(Int64(offset(info))) }
}
