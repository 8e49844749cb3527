// The limits of one instance with their default values. Several instances do not share counters.

/** A token bucket: requests per second, and how many can come at once. */
export interface RateLimit {
  perSecond: number
  burst: number
}

/** Requests per key; RECOLLECT_RATE sets others. Above it the answer is 429. */
export const defaultKeyRate: RateLimit = { perSecond: 50, burst: 200 }

/** Rejected keys per network address, against guessing. Above it the answer is 429. */
export const rejectedKeyRate: RateLimit = { perSecond: 1, burst: 30 }

/** Keys and addresses whose rates are tracked; the longest unused are dropped first. */
export const maxTrackedRates = 20_000

/**
 * Accepted keys that are remembered, so that rejected keys of the same address do not block them.
 */
export const maxAcceptedKeys = 10_000

/** Requests that are handled at the same time. Above it the answer is 503. */
export const defaultMaxRequests = 500

/** The share of these that one key can use. */
export const maxShareOfOneKey = 1 / 5

/** Open connections. Each takes memory and a file descriptor, whether or not it sends a request. */
export const defaultMaxConnections = 5000

/** Open connections of one network address; proxies are exempt. Above it a connection is closed. */
export const defaultMaxConnectionsOfAddress = 500

/**
 * Idle time after which a connection is closed, also while the client does not read its response.
 */
export const defaultIdleTimeoutMs = 150_000

export const headersTimeoutMs = 10_000
export const requestTimeoutMs = 60_000

/** Longer than the usual value of proxies, so that we do not close a connection they still use. */
export const keepAliveTimeoutMs = 75_000

/** Request bodies of routes that do not set their own limit. Above it the answer is 413. */
export const defaultMaxBodyBytes = 256_000

/** Nesting of JSON bodies; deeper ones would exhaust the stack of recursive code. */
export const maxBodyDepth = 40
