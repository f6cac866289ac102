/** The servers of which one run needs only one each, the packed packages, the bundled programs, and the built pages. */
export type SharedServerName = 'postgres' | 'redis' | 'swift' | 'packages' | 'pages' | 'programs'

/** The variable with the origin at which the workers of a run ask for the servers that they share. */
export const askAt = 'GENMOUNT_TEST_SERVERS'

/**
 * @returns the URL of what all test files of this run share, or the pages themselves, as JSON. It is started or built for the
 *   first file that asks for it.
 */
export async function sharedServer(name: SharedServerName): Promise<string> {
  const answer = await fetch(`${process.env[askAt]}/${name}`)
  const url = await answer.text()
  if (!answer.ok) throw new Error(url)
  return url
}
