/** Keeps the host process from ending by itself. @returns what lets it end */
export function keepProcessAlive(): () => void {
  const timer = setInterval(() => {}, 60_000)
  return () => clearInterval(timer)
}
