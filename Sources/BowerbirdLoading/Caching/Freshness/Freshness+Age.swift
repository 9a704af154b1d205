import FoundationEssentials

// How old an answer is, and how old it may become: sections 4.2.1 to 4.2.3 of RFC 9111, in seconds. A date that is no
// number makes an age that is none, which is not less than any lifetime: the conditions are written so.
extension Freshness {
    var directives: FreshnessDirectives { FreshnessDirectives(headers["cache-control"] ?? "") }

    func isFresh(at date: Date, _ directives: FreshnessDirectives) -> Bool {
        age(at: date) < lifetime(directives)
    }

    /// False where nothing may be stale.
    func isStale(byLessThan seconds: Int?, at date: Date, _ directives: FreshnessDirectives) -> Bool {
        guard let seconds, !directives.mustRevalidate else { return false }
        return age(at: date) - lifetime(directives) < TimeInterval(seconds)
    }

    /// The age it had when it came, and the time since. A clock that was set back would make answers young that are
    /// not, for as long as it was wrong; so the time since counts in either direction.
    func age(at date: Date) -> TimeInterval {
        max(apparentAge, givenAge) + abs(date.timeIntervalSince(receivedAt))
    }

    private var apparentAge: TimeInterval { max(0, receivedAt.timeIntervalSince(madeAt)) }

    /// Of several, the first counts, as RFC 9111 says.
    private var givenAge: TimeInterval {
        let first = HTTPField.members(of: headers["age"] ?? "").first
        return first.flatMap { HTTPField.seconds($0) }.map(TimeInterval.init) ?? 0
    }

    private var madeAt: Date { headers["date"].flatMap(HTTPField.date) ?? receivedAt }

    /// An `Expires` that is no date is in the past.
    func lifetime(_ directives: FreshnessDirectives) -> TimeInterval {
        if let maximumAge = directives.maximumAge { return TimeInterval(maximumAge) }
        guard let expires = headers["expires"] else { return heuristicLifetime }
        return HTTPField.date(expires).map { max(0, $0.timeIntervalSince(madeAt)) } ?? 0
    }

    /// What has not changed for long will hardly change soon: a tenth of the time since the last change, but not more
    /// than a day.
    private var heuristicLifetime: TimeInterval {
        guard isHeuristicallyCacheable, let changedAt = lastModified.flatMap(HTTPField.date) else { return 0 }
        return min(max(0, madeAt.timeIntervalSince(changedAt) / 10), 86_400)
    }

    /// The statuses of RFC 9110, section 15.1; 206 is a part.
    var isHeuristicallyCacheable: Bool {
        [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
    }

    func forbidsStoring(_ directives: FreshnessDirectives) -> Bool {
        directives.noStore && !(directives.mustUnderstand && isHeuristicallyCacheable)
    }
}
