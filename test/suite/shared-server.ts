/** The servers of which one run needs only one each. */
export type SharedServerName = 'postgres' | 'redis' | 'swift'

/** The variable with the origin at which the workers of a run ask for the servers that they share. */
export const askAt = 'GENMOUNT_TEST_SERVERS'

/** @returns the URL of a server that all test files of this run share. The first file that asks for it starts it. */
export async function sharedServer(name: SharedServerName): Promise<string> {
  const answer = await fetch(`${process.env[askAt]}/${name}`)
  const url = await answer.text()
  if (!answer.ok) throw new Error(url)
  return url
}
