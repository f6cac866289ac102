import { join } from 'node:path'
import { programServer } from '../../processes/program-server.ts'

export const swiftCredentials = { accessKeyId: 'test:tester', secretAccessKey: 'testing' }

/** Launches OpenStack Swift by the system's Python, because Debian's package python3-swift is for that one. */
export function launchSwift() {
  const script = join(import.meta.dirname, 'swift_with_s3.py')
  const credentials = Object.values(swiftCredentials)
  return programServer(
    (port, folder) => ['/usr/bin/python3', script, folder, String(port), ...credentials],
    /listens/,
  )
}
