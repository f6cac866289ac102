/** The key of an owner at the attacked server. */
export const keyOf = (owner: string): string => `key-of-${owner}-5b1f3c`
