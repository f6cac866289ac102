import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { genmount } from './genmount.ts'
import { startServer } from './start-server.ts'

test('a picture of genmount serve says that an algorithm without training made it, and genmount inspect reads it', async () => {
  const { env } = await startServer()
  const cwd = temporaryFolder()
  const make = ['generate', '-m', 'procedural-image', '-f', 'resolution=480p', '-p', 'a fox', '-o', 'fox.png']
  await genmount(make, { cwd, env })
  const shown = await genmount(['inspect', 'fox.png'], { cwd })
  expect(shown.stdout).toBe(
    'file:    fox.png\ntype:    image/png\nsource:  algorithmicMedia\nC2PA:    no manifest\n',
  )
  expect(readFileSync(join(cwd, 'fox.png')).includes('a fox')).toBe(false)
})

test('genmount inspect finds a manifest of C2PA, and says in words what it can not read', async () => {
  const signed = new URL('../provenance/signed/signed.webp', import.meta.url).pathname
  const { stdout } = await genmount(['inspect', signed, '--json'])
  expect(JSON.parse(stdout)).toEqual({ contentType: 'image/webp', isReadable: true, hasC2paManifest: true })
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'cut.webp'), readFileSync(signed).subarray(0, 100))
  const cut = await genmount(['inspect', 'cut.webp'], { cwd })
  expect(cut.stdout).toContain('type:    image/webp: it is cut off')
  const missing = await genmount(['inspect', 'none.png'], { cwd })
  expect([missing.exit, missing.stderr]).toEqual([2, expect.stringContaining("none.png can't be read")])
})
