import { publishedPackages } from '../published-packages.ts'
import { testInstall } from './test-install.ts'

testInstall(publishedPackages)
