/**
 * A package that only some servers need, so that they install it beside this one.
 * @param setting what asks for it
 * @throws Error that says what to install
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
