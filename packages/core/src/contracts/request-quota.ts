/** How many requests an owner may still send. */
export interface RequestQuota {
  /** How many requests the owner may send in a minute. */
  readonly limit: number
  /** How many requests are left now. */
  readonly remaining: number
  /** In how many seconds the owner may send more requests, rounded up. 0 when all requests are left. */
  readonly moreInSeconds: number
  /** Whether this request exceeds the limit. */
  readonly isExceeded: boolean
}
