import { useText } from '../../../element/i18n.ts'
import { Empty } from '../../../ui/states.tsx'

/** The caller may not use this screen at all. */
export const Forbidden = () => {
  const t = useText()
  return <Empty title={t('common.forbidden')} hint={t('common.forbiddenHint')} />
}
