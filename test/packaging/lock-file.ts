import * as lockFile from '../../packages/release/src/lock-file.ts'
import { repo } from '../processes/repo.ts'

/** The entries of the lock file of this repository, by the folder of each package. */
export const lockedPackages = lockFile.readLockFile(repo)

/** The folder of the dependency in the lock file, found as Node resolves `name` from the folder `from`. */
export const placeOf = (name: string, from: string) => lockFile.placeOf(lockedPackages, name, from)

/** The folders that npm fills when it installs the package in `start`, with that folder itself. */
export const installedWith = (start: string) => lockFile.installedWith(lockedPackages, start)
