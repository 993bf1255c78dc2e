import { upload } from '../../core/contract/common/upload.ts'
import { announcement } from '../../core/contract/operation/announcement.ts'
import { home } from '../../core/contract/portal/home.ts'
import { user } from '../../core/contract/user/user.ts'
import { screen } from '../../core/engine/screen.ts'
import { Welcome } from './welcome.tsx'

/** Everyone, at the start of the shift and between tasks: what waits for me, and where I go next. */
export default screen([user.self, home.mine, announcement.read, upload.file], () => <Welcome />)
