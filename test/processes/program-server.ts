import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { type Command, launch } from './launch.ts'

/**
 * Starts a server program on a free port of the loopback interface. The caller stops it.
 * @param commandFor gets a folder for the files of the server, which goes with it
 * @param isReady is in the output of the program when it accepts connections
 */
export async function programServer(commandFor: (port: number, folder: string) => Command, isReady: RegExp) {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-server-'))
  // A program that root starts may run as another user, who has to get here.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const command = commandFor(port, folder)
  async function started() {
    const server = launch(command)
    await server.heard(isReady)
    return server
  }
  let server = await started()
  return {
    port,
    heard: (pattern: RegExp) => server.heard(pattern),
    freeze: () => server.freeze(),
    thaw: () => server.thaw(),
    kill: () => server.kill(),
    /** Starts the server again on its port and in its folder after it was killed. */
    start: async () => void (server = await started()),
    async stop() {
      await server.kill()
      rmSync(folder, { recursive: true })
    },
  }
}
