import { useText } from '../../element/i18n.ts'
import { Button, IconButton, Text } from '../../ui/basics.ts'
import { Icon } from '../../ui/icons.tsx'
import { Progress } from '../../ui/more.ts'
import { sizeText } from './export-file.ts'
import type { Chosen, Said } from './sendings.ts'

type Props = { chosen: Chosen; again: () => void; remove: () => void }

const percentOf = ({ file }: Chosen, sent: number) => Math.floor((100 * sent) / Math.max(1, file.size))

const State = ({ chosen }: { chosen: Chosen }) => {
  const t = useText()
  const said = (words: Said) => (typeof words === 'string' ? words : t(words.key, words.params))
  switch (chosen.is) {
    case 'sending': {
      const { step, sent } = chosen.sending
      const words = step === 'sending' ? t('file.sending', { percent: percentOf(chosen, sent) }) : t(`file.${step}`)
      return (
        <>
          <Progress
            size="1"
            value={percentOf(chosen, sent)}
            aria-label={t('file.progress', { name: chosen.file.name })}
          />
          <Text size="1" color="gray">
            {words}
          </Text>
        </>
      )
    }
    case 'ready':
      return (
        <Text size="1" color="gray" role="status">
          <Icon name="check" size={12} /> {t('file.ready')} · {sizeText(chosen.file.size)}
        </Text>
      )
    case 'failed':
      return (
        <Text size="1" color="red" role="alert">
          {t('file.stopped')}
        </Text>
      )
    case 'refused':
      return (
        <Text size="1" color="red" role="alert">
          {said(chosen.said)}
        </Text>
      )
  }
}

/** One chosen file: its picture, how far it is, and what can be done with it. */
export const ChosenFile = ({ chosen, again, remove }: Props) => {
  const t = useText()
  const { file, preview, is } = chosen
  const { name } = file
  return (
    <div className="mk-file">
      {preview ? <img src={preview} alt={t('file.preview', { name })} /> : <Icon name="rows" size={20} />}
      <div className="mk-file-text">
        <Text size="2" truncate title={name}>
          {name}
        </Text>
        <State chosen={chosen} />
      </div>
      {is === 'failed' && (
        <Button type="button" size="1" variant="soft" onClick={again}>
          {t('file.again')}
        </Button>
      )}
      <IconButton
        type="button"
        size="1"
        variant="ghost"
        color="gray"
        aria-label={t(is === 'sending' ? 'file.cancel' : 'file.remove', { name })}
        onClick={remove}
      >
        <Icon name={is === 'sending' ? 'close' : 'trash'} />
      </IconButton>
    </div>
  )
}
