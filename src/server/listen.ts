/**
 * The door of this room: what listens. It loads Express and ws, so it is loaded when somebody listens, and by nobody's
 * static import.
 */
import { createRefuse } from './handler.ts'
import {
  createDesk,
  createFacade,
  type Desk,
  type Listener,
  type ListenOptions,
  listenOn,
  type Street,
} from './port.ts'
import type { Answers, WebSocketLimits } from './webSocket.ts'

export { listenToChains } from './chains.ts'
export type { Desk, Listener, ListenOptions }
export { createDesk }

/** Listens and answers with `answers`. Rejects with Node's error where the port cannot be had. */
export function listen(
  answers: Answers,
  options: ListenOptions = {},
  refuse = createRefuse(),
  limits: Partial<WebSocketLimits> = {},
): Promise<Listener> {
  const desk = createDesk(answers, options, refuse, limits)
  const { handler, webSockets } = desk
  const street: Street = {
    where: '/',
    deskAt: (url) => (url === '/' ? desk : undefined),
    facade: createFacade('/', ['POST', 'GET', 'OPTIONS'], refuse, (app) => {
      app.all('/', handler)
    }),
    close: () => webSockets.close(),
  }
  return listenOn(street, options, refuse)
}
