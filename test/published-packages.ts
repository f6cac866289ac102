import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const packages = join(import.meta.dirname, '../packages')

/** The folders of the packages that are published, by name: all that are not `private`. */
export const publishedPackages: readonly string[] = readdirSync(packages).filter(
  (name) => JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')).private !== true,
)
