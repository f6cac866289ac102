import { join } from 'node:path'
import { Application, Logger, LogLevel } from 'typedoc'

/**
 * Reads the TSDoc comments of all exports. typedoc looks for types that are not exported only in the package that it is
 * told to check, so the packages are checked one after the other.
 * @returns the names of all packages, and `warnings` of what is missing or wrong, one line each: an export without
 *   documentation, a broken link, or a type that an export names and that is not exported itself. `write` writes the HTML
 *   pages to the folder `reference`.
 * @throws Error when the sources cannot be read
 */
export async function readReference() {
  const app = await Application.bootstrap({ options: join(import.meta.dirname, 'typedoc.json') })
  const warnings = new Set<string>()
  app.logger = new (class extends Logger {
    override log(message: string, level: LogLevel): void {
      if (level >= LogLevel.Warn) warnings.add(message)
    }
  })()
  const project = await app.convert()
  if (!project) throw new Error([...warnings].join('\n'))
  const modules = project.children ?? []
  // typedoc names a module after the path of its file, such as guarded-fetch/src or client/src/react.
  for (const module of modules) module.name = `@genmount/${module.name.replace(/\/src(?=\/|$)/, '')}`
  const packageNames = [...new Set(modules.map(({ name }) => name.split('/', 2).join('/')))]
  app.options.setValue('packagesRequiringDocumentation', packageNames)
  for (const [index, name] of packageNames.entries()) {
    project.packageName = name
    app.validate(project)
    // Comments and links of all packages are checked by the first round, and would be again by each.
    if (index === 0)
      app.options.setValue('validation', { notExported: true, notDocumented: false, invalidLink: false })
  }
  return { packageNames, warnings: [...warnings], write: () => app.generateOutputs(project) }
}
