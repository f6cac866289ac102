/** How many turns the event loop had while `run` was under way. */
export async function turnsOf(run: () => Promise<unknown>): Promise<number> {
  let turns = 0
  const count = setInterval(() => turns++, 1)
  try {
    await run()
    return turns
  } finally {
    clearInterval(count)
  }
}
