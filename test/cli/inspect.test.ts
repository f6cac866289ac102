import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { genmount, genmountHere, startServe } from './genmount.ts'

test('a picture of genmount serve says that an algorithm without training made it, unless the configuration switches marks off', async () => {
  const says = async (config: object) => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'genmount.json'), JSON.stringify({ port: 0, ...config }))
    const { server, url } = await startServe(['-c', 'genmount.json'], { cwd })
    const input = ['-f', 'resolution=480p', '-p', 'a fox']
    await genmount(['generate', '-m', 'procedural-image', ...input, '-o', 'fox.png', '--url', url], { cwd })
    server.child.kill('SIGTERM')
    await server.ended
    expect(readFileSync(join(cwd, 'fox.png')).includes('a fox')).toBe(false)
    return (await genmount(['inspect', 'fox.png'], { cwd })).stdout
  }
  const [marked, unmarked] = await Promise.all([
    says({ provenance: { include: ['model'] } }),
    says({ provenance: false }),
  ])
  expect(marked).toBe(
    'file:    fox.png\ntype:    image/png\nsource:  algorithmicMedia\nmodel:   procedural-image\nC2PA:    no manifest\n',
  )
  expect(unmarked).toContain('source:  not said')
})

test('genmount inspect finds a manifest of C2PA, and says in words what it can not read', async () => {
  const signed = new URL('../provenance/signed/signed.webp', import.meta.url).pathname
  const { stdout } = await genmountHere(['inspect', signed, '--json'])
  expect(JSON.parse(stdout)).toEqual({ contentType: 'image/webp', isReadable: true, hasC2paManifest: true })
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'cut.webp'), readFileSync(signed).subarray(0, 100))
  const cut = await genmount(['inspect', 'cut.webp'], { cwd })
  expect(cut.stdout).toContain('type:    image/webp: it is cut off')
  const missing = await genmount(['inspect', 'none.png'], { cwd })
  expect([missing.exit, missing.stderr]).toEqual([
    2,
    expect.stringMatching(/none\.png can't be read: ENOENT: no such file/),
  ])
  const folder = await genmount(['inspect', '.'], { cwd })
  expect([folder.exit, folder.stderr]).toEqual([2, expect.stringMatching(/can't be read: it is a folder/)])
})
