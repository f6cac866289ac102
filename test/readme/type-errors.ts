import process from 'node:process'
import ts from 'typescript'

/**
 * Checks the files of a `tsconfig.json`, and nothing that these import: `npm run types` checks the sources. Prints the errors
 * as the compiler does.
 */
const config = ts.getParsedCommandLineOfConfigFile(process.argv[2] ?? '', undefined, {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
    throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'))
  },
})
if (!config || config.fileNames.length === 0) throw new Error('There is no file to check.')
const program = ts.createProgram(config.fileNames, config.options)
const errors = [
  ...config.errors,
  ...program.getOptionsDiagnostics(),
  ...program.getGlobalDiagnostics(),
  ...config.fileNames.flatMap((name) => {
    const file = program.getSourceFile(name)
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]
  }),
]
process.stdout.write(
  ts.formatDiagnostics(errors, {
    getCurrentDirectory: ts.sys.getCurrentDirectory,
    getCanonicalFileName: (name) => name,
    getNewLine: () => '\n',
  }),
)
