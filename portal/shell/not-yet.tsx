import { homePath } from '../../core/contract/pages.ts'
import { useText } from '../../core/element/i18n.ts'
import { Button } from '../../core/ui/basics.ts'
import { Empty } from '../../core/ui/states.tsx'

/** What a known page shows before its screen is built. */
export const NotYet = ({ go }: { go: (path: string) => void }) => {
  const t = useText()
  return (
    <Empty
      title={t('shell.notYet')}
      hint={t('shell.notYetHint')}
      action={
        <Button variant="soft" onClick={() => go(homePath)}>
          {t('shell.goHome')}
        </Button>
      }
    />
  )
}
