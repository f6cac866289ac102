import type { Attack } from '../attack.ts'
import { bodyAttacks } from './body-attacks.ts'
import { jsonAttacks } from './json-attacks.ts'
import { keyAttacks } from './key-attacks.ts'
import { mcpAttacks } from './mcp-attacks.ts'
import { pictureAttacks } from './picture-attacks.ts'
import { placeAttacks } from './place-attacks.ts'
import { variantAttacks } from './variant-attacks.ts'
import { vendorAttacks } from './vendor-attacks.ts'

export const attacks: Readonly<Record<string, Attack>> = {
  ...bodyAttacks,
  ...jsonAttacks,
  ...keyAttacks,
  ...placeAttacks,
  ...pictureAttacks,
  ...variantAttacks,
  ...vendorAttacks,
  ...mcpAttacks,
}
