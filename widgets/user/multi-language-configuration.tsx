import { logCalls } from '../../core/contract/common/common.ts'
import { upload } from '../../core/contract/common/upload.ts'
import { languageConfig } from '../../core/contract/user/language.ts'
import { screen } from '../../core/engine/screen.ts'
import { Languages } from './language/languages.tsx'

/** Operations staff say which languages customers and staff are offered, in which order, and which is the default. */
export default screen(
  [...Object.values(languageConfig), ...logCalls, upload.token, upload.chunk, upload.complete, upload.file],
  () => <Languages />,
)
