/**
 * Does something for the telemetry. What it throws is dropped: the API of OpenTelemetry must not throw, and a tracer or
 * meter that does it all the same must not cost the app the answer to a call that is paid for.
 */
export function unfailing(tell: () => void): void {
  try {
    tell()
  } catch {
    // Dropped, for the reason above.
  }
}
