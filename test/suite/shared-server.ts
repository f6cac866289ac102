/** The servers of which one run needs only one each, the packed packages, and the bundled programs. */
export type SharedServerName = 'postgres' | 'redis' | 'swift' | 'packages' | 'programs'

/** The variable with the origin at which the workers of a run ask for the servers that they share. */
export const askAt = 'GENMOUNT_TEST_SERVERS'

/** @returns the URL of what all test files of this run share. It is started for the first file that asks for it. */
export async function sharedServer(name: SharedServerName): Promise<string> {
  const answer = await fetch(`${process.env[askAt]}/${name}`)
  const url = await answer.text()
  if (!answer.ok) throw new Error(url)
  return url
}
