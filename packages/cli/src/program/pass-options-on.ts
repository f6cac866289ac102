import type { Command } from 'commander'

/**
 * Lets the options of the program stand in front of the command too: `genmount --url URL jobs` is `genmount jobs --url URL`.
 * An option behind the command wins. A command that does not have the option refuses it.
 */
export function passOptionsOn(program: Command): void {
  program.hook('preAction', (_program, command) => {
    for (const option of program.options) {
      const name = option.attributeName()
      if (program.getOptionValueSource(name) !== 'cli') continue
      if (!command.options.some(({ long }) => long === option.long))
        command.error(`error: genmount ${command.name()} has no option ${option.long}`)
      if (command.getOptionValueSource(name) === undefined)
        command.setOptionValueWithSource(name, program.getOptionValue(name), 'cli')
    }
  })
}
