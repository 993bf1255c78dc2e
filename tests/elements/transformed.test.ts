import { overlayChecks } from './overlay-checks.ts'

/** A box that moves, scales, clips and stacks what is in it. */
const box = () => {
  const element = document.createElement('div')
  element.dataset.test = ''
  element.setAttribute(
    'style',
    'transform: translate(40px, 20px) scale(.9); overflow: hidden; contain: paint; position: relative; z-index: 0',
  )
  return document.body.appendChild(element)
}

overlayChecks('in a transformed box', box)
