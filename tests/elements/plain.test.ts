import { overlayChecks } from './overlay-checks.ts'

overlayChecks('on a plain page')
