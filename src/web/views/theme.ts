import { ownAddress, type PageRequest, type PageResult, type PageRoute } from '../request.ts'

export const themeRoutes: PageRoute[] = [{ method: 'POST', path: '/theme', handle: chooseTheme }]

/** Kept in a cookie, so that the page is right from the first byte on. */
function chooseTheme({ form }: PageRequest): PageResult {
  const theme = form.get('theme')
  const isKept = theme === 'light' || theme === 'dark'
  const cookie = `recollect-theme=${isKept ? theme : ''}; Path=/; Max-Age=${isKept ? 31_536_000 : 0}; SameSite=Strict`
  return { kind: 'redirect', to: ownAddress(form.get('back'), '/'), cookie }
}
