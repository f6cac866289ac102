/** The secrets in the headers of a request; of `Bearer abc` that is `abc`. */
export function credentialsIn(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([name]) => /auth|cookie|key|token|secret/i.test(name))
    .map(([, value]) => value.replace(/^(?:bearer|basic) /i, ''))
}
