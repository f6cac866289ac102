import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch } from '../../processes/launch.ts'

export const swiftCredentials = { accessKeyId: 'test:tester', secretAccessKey: 'testing' }

/** Launches OpenStack Swift, of Debian's package python3-swift, in a folder that goes with it. */
export async function launchSwift(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'genmount-swift-'))
  const script = join(import.meta.dirname, 'swift_with_s3.py')
  // The system's Python, because the Debian package is for that one.
  const server = launch(['/usr/bin/python3', script, folder, ...Object.values(swiftCredentials)])
  return {
    url: `http://127.0.0.1:${await server.line()}`,
    async stop() {
      await server.kill()
      await rm(folder, { recursive: true })
    },
  }
}
