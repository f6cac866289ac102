/** What the exit codes of the program mean. The README lists them too. */
export const exitCodes = {
  done: 0,
  /** Something else went wrong, such as a full disk. */
  fault: 1,
  /** The command line is wrong, or names a file that can't be read or written. */
  usage: 2,
  /** The server can't be reached, has an internal error, or is not a genmount server. */
  unreachable: 3,
  /** The server does not accept the key. */
  key: 4,
  /** The server refuses the request, or does not know the job or the model. */
  refused: 5,
  /** The job has failed. */
  jobFailed: 6,
  /** The user pressed Ctrl-C. */
  interrupted: 130,
} as const
