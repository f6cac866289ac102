/**
 * The servers of which one run needs only one each, the packed packages, the bundled programs, the built pages, and
 * the files of real programs.
 */
export type SharedServerName = 'postgres' | 'redis' | 'swift' | 'packages' | 'media' | 'pages' | 'programs'

/** The variable with the origin at which the workers of a run ask for the servers that they share. */
export const askAt = 'GENMOUNT_TEST_SERVERS'

/**
 * @returns the URL of what all test files of this run share, or the pages or files themselves, as JSON. It is started or made
 *   for the first file that asks for it.
 */
export async function sharedServer(name: SharedServerName): Promise<string> {
  const answer = await fetch(`${process.env[askAt]}/${name}`)
  const url = await answer.text()
  if (!answer.ok) throw new Error(url)
  return url
}
