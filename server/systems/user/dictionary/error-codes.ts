import { codes } from '../../../../core/contract/codes.ts'
import type { Key } from '../../../../core/i18n/index.ts'

/** Answer codes with the text that says what they mean in general; refusals that say more have texts of their own. */
export const errorKeys: readonly (readonly [code: number, key: Key])[] = [
  [codes.forbidden, 'errors.forbidden'],
  [codes.stepUp, 'errors.stepUp'],
  [codes.notFound, 'errors.notFound'],
  [codes.stateConflict, 'errors.stateChanged'],
  [codes.versionConflict, 'errors.recordChanged'],
  [codes.keyReused, 'errors.keyReused'],
  [codes.keyRunning, 'errors.keyRunning'],
  [codes.tooMany, 'errors.tooManyAttempts'],
  [codes.internal, 'errors.internal'],
]
