/** The calls of a store that are timed: what a create, a read, a list of 100 jobs, a sweep, a limit and a bill ask of it. */
export const storeCalls = ['create', 'get', 'list', 'sweep', 'limit', 'ledger'] as const
export type StoreCall = (typeof storeCalls)[number]
