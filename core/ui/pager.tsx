import { useText } from '../element/i18n.ts'
import { Flex, IconButton } from './basics.ts'
import { Icon } from './icons.tsx'

/** Leafs through a few pages of rows. */
export const Pager = ({ page, pages, go }: { page: number; pages: number; go: (page: number) => void }) => {
  const t = useText()
  const step = (by: 1 | -1, off: boolean) => (
    <IconButton
      size="1"
      variant="ghost"
      color="gray"
      disabled={off}
      aria-label={t(by === 1 ? 'common.nextPage' : 'common.previousPage')}
      onClick={() => go(page + by)}
    >
      <Icon name={by === 1 ? 'chevronRight' : 'chevronLeft'} />
    </IconButton>
  )
  return (
    <Flex align="center" justify="end" gap="3" className="mk-pages">
      {step(-1, page <= 1)}
      <span aria-live="polite">{t('common.pageOf', { page, pages })}</span>
      {step(1, page >= pages)}
    </Flex>
  )
}
