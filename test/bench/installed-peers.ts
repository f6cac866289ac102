import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { succeed } from '../../packages/release/src/release-npm.ts'
import { repo } from '../processes/repo.ts'

/** What only a bench needs, and would make `npm ci` slower for everybody. */
const dependencies = {
  '@portkey-ai/gateway': '1.15.2',
  'graphile-worker': '0.18.0',
  'pg-boss': '12.35.0',
}
const folder = join(repo, 'node_modules/.cache/bench-peers')

/** Installs the programs that genmount is compared with, which takes some 10 seconds once. */
export async function installPeers(): Promise<void> {
  const manifest = JSON.stringify({ private: true, dependencies })
  const file = join(folder, 'package.json')
  const isInstalled = existsSync(join(folder, 'package-lock.json')) && readFileSync(file, 'utf8') === manifest
  if (isInstalled) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, manifest)
  await succeed(['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'], 'pipe')
}

/** What an installed peer exports. */
export function peerModule(name: keyof typeof dependencies): unknown {
  return createRequire(join(folder, 'package.json'))(name)
}

/** A file of an installed peer. */
export function peerFile(name: keyof typeof dependencies, path: string): string {
  return join(folder, 'node_modules', name, path)
}
