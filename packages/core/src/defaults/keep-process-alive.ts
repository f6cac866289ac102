/** Prevents the host process from ending by itself. @returns a function that allows it again */
export function keepProcessAlive(): () => void {
  const timer = setInterval(() => {}, 60_000)
  return () => clearInterval(timer)
}
