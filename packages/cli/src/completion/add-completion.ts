import tab from '@bomb.sh/tab/commander'
import type { Command } from 'commander'
import { bashScript } from './bash-script.ts'

/** Adds the command `complete`, which shells call while a command line is typed. */
export function addCompletion(program: Command, modelIds: readonly string[]): void {
  const completion = tab(program)
  const { commands } = completion
  const setUpOther = completion.setup.bind(completion)
  completion.setup = (name, executable, shell) =>
    shell === 'bash' ? console.log(bashScript) : setUpOther(name, executable, shell)
  program.commands
    .find((command) => command.name() === 'complete')
    ?.description('print the completion for bash, zsh, fish or powershell')
  const offer = (complete: (value: string, description: string) => void) => {
    for (const id of modelIds) complete(id, '')
  }
  for (const name of ['generate', 'jobs']) commands.get(name)!.options.get('model')!.handler = offer
  commands.get('models')!.arguments.get('id')!.handler = offer
}
