import { announcement } from '../../core/contract/announcement.ts'
import { home } from '../../core/contract/home.ts'
import { user } from '../../core/contract/user.ts'
import { screen } from '../../core/engine/screen.ts'
import { Welcome } from './welcome.tsx'

/** Everyone, at the start of the shift and between tasks: what waits for me, and where I go next. */
export default screen([user.self, home.mine, announcement.read], () => <Welcome />)
