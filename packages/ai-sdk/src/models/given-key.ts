/** The idempotency key in the headers of a call, which the AI SDK keeps for the retries of a start. */
export function givenKey(
  headers: Readonly<Record<string, string | undefined>> | undefined,
): string | undefined {
  const given = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'idempotency-key')
  return given?.[1]
}
