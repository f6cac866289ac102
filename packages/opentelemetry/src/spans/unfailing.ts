/**
 * Calls a function that records telemetry, and drops what it throws. The API of OpenTelemetry must not throw. If a
 * tracer or meter throws nevertheless, the app must still get the answer of a provider call that has been paid for.
 */
export function unfailing(tell: () => void): void {
  try {
    tell()
  } catch {
    // Dropped, see above.
  }
}
