/**
 * Imports a package that only some servers need. The operator installs it beside this package.
 * @param setting the setting that needs the package
 * @throws Error that says which package to install
 */
export async function loaded<Module>(
  setting: string,
  packageName: string,
  importing: Promise<Module>,
): Promise<Module> {
  try {
    return await importing
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes(packageName)) throw cause
    throw new Error(`${setting} needs the package ${packageName}: install it beside @genmount/cli.`, {
      cause,
    })
  }
}
