// Cues of languages in Latin script, under the names of the English ones. Each lists alternatives as
// the source of a regular expression for whole words; `^` ties one to the beginning of a sentence.

export type CueTable = Record<string, string>

export interface LatinCues {
  /** Frequent words that tell the language from others. */
  words: string
  cues: CueTable
}

export const german: LatinCues = {
  words:
    'der|die|das|und|nicht|ist|wir|ich|du|ein|eine|einen|für|mit|auf|bei|den|dem|im|zu|nie|niemals|immer|bitte|kannst|wird|werden|sind|kein|keine|keinen|auch|nur|wenn|weil|aber|noch|danke|nein|ja|wie|was|warum|ab|sofort|jetzt|statt|verwende|nutzen|soll|sollen|muss|müssen|haben|hat|lass|uns|lieber|stets|mach|füge|dann|von|zur|zum|als|des|es|war|vor',
  cues: {
    always: 'immer|stets|jedes mal|grundsätzlich|ausnahmslos|in jedem fall',
    never: 'nie|niemals|auf keinen fall|nie wieder|unter keinen umständen',
    standing: 'immer|stets|grundsätzlich|jedes mal|nie|niemals|auf keinen fall|verboten|nicht erlaubt',
    fromNowOn:
      'ab jetzt|ab sofort|künftig|zukünftig|in zukunft|von nun an|ab heute|generell|normalerweise|unsere regel',
    remember: 'merk dir|merke dir|denk daran|denk dran|behalte im kopf|zur info|zur erinnerung',
    must: 'muss|müssen|darf nicht|dürfen nicht|darf nur|dürfen nur|hat zu|haben zu|ist pflicht|zwingend',
    should: 'soll|sollen|sollte|sollten|sollst',
    banFirst: '^(?:bitte )?(?:nicht|nie|niemals|kein|keine|keinen|verwende nicht|nutze nicht|vermeide|hör auf)',
    prefer: 'ich bevorzuge|wir bevorzugen|mir ist lieber|ich möchte lieber|ich hätte lieber|ich mag kein\\p{L}*|lieber',
    dontWant: 'will nicht|wollen nicht|möchte nicht|möchten nicht|will kein\\p{L}*|wollen kein\\p{L}*',
    wantThat: 'ich will,? dass|ich möchte,? dass|wir wollen,? dass|ich will alle|ich möchte alle',
    decided: 'wir haben (?:\\p{L}+ ){0,6}(?:entschieden|beschlossen|geeinigt|festgelegt)|beschlossen|wir entschieden',
    weDecide:
      'wir haben (?:\\p{L}+ ){0,6}(?:entschieden|beschlossen|geeinigt)|wir nehmen|wir bleiben bei|wir sind (?:\\p{L}+ ){0,6}(?:umgestiegen|gewechselt|migriert)',
    switched: 'umgestiegen|(?:zu|auf) \\S+ (?:gewechselt|migriert)|haben auf \\S+ (?:umgestellt|migriert)',
    goWith: 'lass uns \\S+ nehmen|wir nehmen|nehmen wir',
    lets: 'lass uns|nehmen wir',
    weDo: 'wir (?:verwenden|nutzen|benutzen|schreiben|deployen|haben|testen|speichern|veröffentlichen)',
    weDont: 'wir (?:\\p{L}+ ){0,3}(?:nicht|nie|kein|keine|keinen)',
    our: 'unser|unsere|unserem|unserer|unseren',
    aboutWe: '^wir',
    no: '^(?:nein|falsch|stimmt nicht|das ist falsch|das stimmt nicht|nee)',
    refuted: 'das ist falsch|das stimmt nicht|ist nicht (?:richtig|korrekt)|falsch verstanden',
    isNot: 'ist nicht|sind nicht|ist kein|ist keine|sind keine',
    noLonger: 'nicht mehr|veraltet|abgelöst|ersetzt durch',
    insteadOf: 'statt|anstatt|anstelle|stattdessen',
    useInstead: '(?:verwende|nutze|benutze|nimm|verwenden|nutzen)\\s.{1,60} (?:statt|anstatt|anstelle)',
    itWas:
      '(?:das|der|die) (?:problem|ursache|grund|fehler|bug) (?:war|ist|lag)|lag daran|lag an|die ursache|stellte sich heraus',
    correctWay: 'der (?:richtige|korrekte) weg|richtig ist|die richtige art',
    approach: 'der ansatz ist|unser ansatz|das vorgehen ist',
    because: 'weil|denn|da sonst|sonst|wegen|aufgrund|deshalb',
    soThat: 'damit|sodass|so dass',
    onlyWhen: 'nur wenn|nur mit|nur über|nur auf|nur in|nur am|nur nach|außer|es sei denn|ausschließlich',
    ask: 'ohne (?:mich )?zu fragen|frag (?:mich )?(?:zuerst|vorher|erst)|ohne rückfrage|frag mich',
    hedge: 'vielleicht|eventuell|vermutlich|wahrscheinlich|ich glaube|könnte sein|womöglich',
    canYou: 'kannst du|könntest du|können wir|könnten wir|würdest du',
    asks: '^(?:was|wie|warum|wieso|weshalb|wo|wer|welche|welcher|welches|wann|gibt es|ist das|ist es|hast du|haben wir|soll ich|sollen wir|sollten wir)',
    orders:
      '^(?:bitte )?(?:füge|mach|mache|erstelle|schreib|schreibe|lösche|entferne|benenne|ändere|zeig|zeige|starte|führe|prüfe|schau|erkläre|repariere|behebe|implementiere|refaktoriere|committe|pushe|aktualisiere|teste|öffne|lies)',
    please: 'bitte',
    thanks: 'danke|super|perfekt|prima|toll|klasse|sieht gut aus|passt so',
    status: '^(?:ich sehe|ich habe|es funktioniert|der test|die tests|der build)',
    symptom: 'schlägt fehl|fehlgeschlagen|stürzt ab|kaputt|funktioniert nicht|geht nicht',
  },
}

export const french: LatinCues = {
  words:
    "le|la|les|des|une|un|et|est|pas|nous|je|tu|il|pour|avec|dans|sur|que|qui|ne|jamais|toujours|du|au|aux|ce|cette|c'est|plus|on|merci|oui|non|peux-tu|pourrais-tu|désormais|utilise|utilisons|s'il|te|plaît|toi|souviens-toi|ça|comment|pourquoi|ajoute|n'utilise|n'est|d'abord|à|de|en|était",
  cues: {
    always: 'toujours|à chaque fois|systématiquement|dans tous les cas|chaque fois',
    never: 'jamais|en aucun cas|sous aucun prétexte',
    standing: 'toujours|à chaque fois|systématiquement|jamais|en aucun cas|interdit|interdite',
    fromNowOn: "désormais|dorénavant|à partir de maintenant|à l'avenir|en général|par convention|notre règle",
    remember: "souviens-toi|rappelle-toi|retiens|n'oublie pas|pour info|garde en tête|garde à l'esprit",
    must: 'il faut|doit|doivent|ne doit pas|obligatoire|il ne faut pas|doit être|devons',
    should: 'devrait|devraient|devrions',
    banFirst: "^(?:ne |n'|évite|arrête|pas de|jamais)",
    prefer: "je préfère|je préférerais|nous préférons|on préfère|je n'aime pas",
    dontWant: 'je ne veux pas|je ne veux plus|nous ne voulons pas|on ne veut pas',
    wantThat: 'je veux que|je veux tous|je veux toutes|nous voulons que|je voudrais que',
    decided: "(?:nous avons|on a|j'ai) (?:\\p{L}+ ){0,2}(?:décidé|choisi|convenu|opté)",
    weDecide: '(?:nous avons|on a) (?:\\p{L}+ ){0,2}(?:décidé|choisi|convenu|opté)|on garde|on part sur|nous gardons',
    switched: 'migré (?:vers|sur)|passés? (?:à|sur|vers)|(?:nous sommes|on est) passés?',
    goWith: 'partons sur|on part sur|allons-y avec|prenons',
    lets: 'partons|prenons|gardons|allons-y',
    weDo: '(?:nous|on) (?:utilisons|utilise|écrivons|écrit|déployons|déploie|avons|testons|stocke|stockons|publie|publions)',
    weDont: "(?:nous|on) (?:ne |n')\\S+ (?:pas|jamais|plus)",
    our: 'notre|nos',
    aboutWe: '^(?:nous|on)',
    no: "^(?:non|c'est faux|ce n'est pas (?:ça|correct|vrai)|faux)",
    refuted: "c'est faux|ce n'est pas (?:ça|correct|vrai|le cas)|n'est pas correct",
    isNot: "n'est pas|ne sont pas|n'est jamais",
    noLonger: "(?:ne|n')\\s?\\S+ plus|obsolète|dépréciée?|remplacée? par",
    insteadOf: 'au lieu de|au lieu d|plutôt que|à la place',
    useInstead: 'utilise[sz]?\\s.{1,60} (?:au lieu|plutôt que|à la place)',
    itWas:
      "(?:le problème|la cause|le bug|l'erreur|la raison) (?:était|est|venait|vient)|venait de|était causée? par|la cause",
    correctWay: 'la bonne (?:façon|manière|méthode)|la manière correcte',
    approach: "l'approche est|l'approche retenue|notre approche",
    because: "parce que|parce qu'\\p{L}*|car|sinon|à cause|puisque",
    soThat: 'pour que|afin que|afin de',
    onlyWhen: 'seulement|uniquement|sauf|que si|à moins',
    ask: 'sans (?:me )?demander|demande-moi|sans mon accord',
    hedge: 'peut-être|probablement|sans doute|je crois|il se peut|possiblement',
    canYou: 'peux-tu|pourrais-tu|pouvez-vous|est-ce que|peut-on|pourrait-on|tu peux',
    asks: "^(?:comment|pourquoi|quel|quelle|quels|quelles|où|qui|que|quand|combien|est-ce|qu'est-ce|y a-t-il)",
    orders:
      "^(?:s'il te plaît,? )?(?:ajoute|crée|écris|supprime|enlève|renomme|change|modifie|montre|affiche|lance|exécute|vérifie|regarde|explique|corrige|répare|implémente|refactorise|committe|pousse|teste|ouvre|lis|mets|fais)",
    please: "s'il te plaît|s'il vous plaît|stp|svp",
    thanks: 'merci|parfait|super|génial|très bien|nickel',
    symptom: 'ne marche pas|ne fonctionne pas|échoue|plante|cassée?',
    status: "^(?:je vois|j'ai|ça marche|le test|les tests|le build)",
  },
}

export const spanish: LatinCues = {
  words:
    'el|la|los|las|un|una|y|es|no|por|para|con|que|en|de|del|se|nunca|siempre|nosotros|usa|usamos|lo|al|este|esta|esto|ahora|hay|gracias|puedes|podrías|cómo|qué|porque|tests|pruebas|antes|sin|añade|agrega|era|recuerda|hemos|mejor|a|partir|muy|bien|eso|está|debe|deben|prefiero|ya|damos|soporte|migramos|desplegamos|hacemos|muestra|sí',
  cues: {
    always: 'siempre|cada vez|en todos los casos|sin excepción',
    never: 'nunca|jamás|en ningún caso|bajo ningún concepto',
    standing: 'siempre|cada vez|nunca|jamás|en ningún caso|prohibido|prohibida',
    fromNowOn: 'a partir de ahora|de ahora en adelante|en el futuro|en general|por convención|nuestra regla',
    remember: 'recuerda|acuérdate|no olvides|ten en cuenta|ten presente',
    must: 'debe|deben|hay que|tiene que|tienen que|no se puede|obligatorio|debemos|tenemos que|no debe',
    should: 'debería|deberían|deberíamos',
    banFirst:
      '^(?:por favor,? )?(?:no (?:uses|hagas|escribas|pongas|toques|añadas|agregues|borres|modifiques|subas|hagáis|usar|me|vuelvas)|nunca|jamás|evita|deja de|nada de)',
    prefer: 'prefiero|preferimos|preferiría|no me gusta|me gusta más',
    dontWant: 'no quiero|no queremos',
    wantThat: 'quiero que|queremos que|quiero todos|quiero todas',
    decided: '(?:hemos|habíamos) (?:decidido|acordado|elegido|optado)|decidimos|acordamos|optamos',
    weDecide:
      '(?:hemos|habíamos) (?:decidido|acordado|elegido|optado)|decidimos|acordamos|nos quedamos con|vamos a mantener',
    switched: '(?:migramos|cambiamos|pasamos|hemos migrado|hemos cambiado|hemos pasado|nos pasamos) (?:\\p{L}+ ){0,3}a',
    goWith: 'vamos con|vayamos con|usemos|nos quedamos con',
    lets: 'vamos con|vayamos|usemos|mantengamos',
    weDo: '(?:usamos|utilizamos|escribimos|desplegamos|tenemos|guardamos|publicamos|probamos)',
    weDont:
      'no (?:usamos|utilizamos|escribimos|desplegamos|tenemos|guardamos|publicamos|hacemos)|nunca (?:usamos|hacemos|desplegamos)',
    our: 'nuestro|nuestra|nuestros|nuestras',
    no: '^(?:no,|eso no|está mal|eso es incorrecto|no es (?:así|correcto|cierto)|incorrecto|falso)',
    refuted: 'eso es incorrecto|no es (?:así|correcto|cierto|verdad)|está mal|te equivocas',
    isNot: 'no es|no son|no está|no están',
    noLonger: 'ya no|obsoleto|obsoleta|reemplazado por|sustituido por',
    insteadOf: 'en lugar de|en vez de',
    useInstead: '(?:usa|utiliza|usad|usar)\\s.{1,60} (?:en lugar de|en vez de)',
    itWas:
      '(?:el problema|la causa|el error|el fallo|la razón|el bug) (?:era|es|fue|estaba)|la causa|resultó que|se debía a',
    correctWay: 'la (?:forma|manera) correcta|lo correcto es',
    approach: 'el enfoque es|nuestro enfoque|la estrategia es',
    because: 'porque|ya que|de lo contrario|si no|puesto que|debido a',
    soThat: 'para que|así que',
    onlyWhen: 'solo si|sólo si|solo cuando|solo con|solo en|solo los|únicamente|salvo|excepto|a menos que|solamente',
    ask: 'sin preguntar\\p{L}*|pregúntame|sin mi permiso|pregunta antes',
    hedge: 'quizás|quizá|tal vez|probablemente|a lo mejor|creo que|puede que',
    canYou: 'puedes|podrías|podemos|podríamos|puede usted',
    asks: '^(?:¿|cómo|por qué|qué|cuál|cuáles|dónde|quién|cuándo|cuánto|hay alguna|hay algún)',
    orders:
      '^(?:por favor,? )?(?:añade|agrega|crea|escribe|elimina|borra|quita|renombra|cambia|modifica|muestra|ejecuta|lanza|revisa|mira|explica|corrige|arregla|implementa|refactoriza|prueba|abre|lee|pon|haz|sube)',
    please: 'por favor',
    thanks: 'gracias|perfecto|genial|estupendo|muy bien',
    symptom: 'no funciona|falla|fallan|se cae|roto|rota',
    status: '^(?:veo|he visto|funciona|el test|los tests|la build)',
  },
}

export const portuguese: LatinCues = {
  words:
    'o|a|os|as|um|uma|e|é|não|por|para|com|que|em|do|da|dos|das|se|nunca|sempre|nós|usamos|isso|este|esta|no|na|agora|obrigado|obrigada|você|pode|poderia|como|porque|testes|antes|sem|adicione|era|lembre-se|lembra|decidimos|melhor|partir|de|deve|devem|prefiro|ao|está|são|foi|já|eu|todos|todas|nos|nas',
  cues: {
    always: 'sempre|toda vez|todas as vezes|em todos os casos',
    never: 'nunca|jamais|em hipótese alguma|de jeito nenhum',
    standing: 'sempre|toda vez|nunca|jamais|em hipótese alguma|proibido|proibida',
    fromNowOn:
      'a partir de agora|de agora em diante|daqui para frente|daqui em diante|no futuro|em geral|por convenção|nossa regra',
    remember: 'lembre-se|lembra|não esqueça|tenha em mente|leve em conta',
    must: 'deve|devem|é preciso|tem que|têm que|precisa|precisam|não pode|obrigatório|devemos|não deve',
    should: 'deveria|deveriam|deveríamos',
    banFirst:
      '^(?:por favor,? )?(?:não (?:use|faça|escreva|coloque|toque|adicione|apague|altere|envie|mexa|crie|usar)|nunca|jamais|evite|pare de|nada de)',
    prefer: 'prefiro|preferimos|preferiria|não gosto|gosto mais',
    dontWant: 'não quero|não queremos',
    wantThat: 'quero que|queremos que|quero todos|quero todas',
    decided: 'decidimos|concordamos|combinamos|optamos|escolhemos|ficou decidido',
    weDecide: 'decidimos|concordamos|combinamos|optamos|escolhemos|vamos manter|ficamos com',
    switched: '(?:migramos|mudamos|trocamos|passamos) (?:\\p{L}+ ){0,3}(?:para|pelo|pela|a)',
    goWith: 'vamos com|vamos de|vamos usar|ficamos com',
    lets: 'vamos (?:com|de|usar|manter|evitar)',
    weDo: '(?:usamos|utilizamos|escrevemos|publicamos|temos|guardamos|testamos|fazemos)',
    weDont: 'não (?:usamos|utilizamos|escrevemos|publicamos|temos|guardamos|fazemos|testamos)|nunca (?:usamos|fazemos)',
    our: 'nosso|nossa|nossos|nossas',
    aboutWe: '^(?:nós|a gente)',
    no: '^(?:não,|isso não|está errado|isso está errado|errado|incorreto)',
    refuted: 'está errado|está incorreto|não é (?:assim|verdade|correto|isso)',
    isNot: 'não é|não são|não está|não estão',
    noLonger: 'não \\S+ mais|já não|obsoleto|obsoleta|substituído por|substituída por',
    insteadOf: 'em vez de|ao invés de|em lugar de|no lugar de',
    useInstead: '(?:use|usa|utilize|usar)\\s.{1,60} (?:em vez de|ao invés de|no lugar de)',
    itWas: '(?:o problema|a causa|o erro|a razão|o bug|a falha) (?:era|é|foi|estava)|a causa|acontece que|era causado',
    correctWay: '(?:a forma|a maneira|o jeito|o modo) (?:correta|correto|certa|certo)|o certo é',
    approach: 'a abordagem é|nossa abordagem|a estratégia é',
    because: 'porque|já que|senão|caso contrário|pois|por causa',
    soThat: 'para que|assim',
    onlyWhen: 'só se|só quando|só com|só em|somente|apenas|exceto|a menos que|a não ser',
    ask: 'sem (?:me )?perguntar|pergunte antes|sem minha permissão|me pergunte',
    hedge: 'talvez|provavelmente|acho que|pode ser|quem sabe',
    canYou:
      'você pode|pode me|poderia|podemos|você consegue|dá para|pode (?:rodar|ver|verificar|olhar|fazer|criar|adicionar)',
    asks: '^(?:como|por que|por quê|qual|quais|onde|quem|quando|quanto|o que|tem algum|há algum)',
    orders:
      '^(?:por favor,? )?(?:adicione|crie|escreva|remova|apague|exclua|renomeie|mude|altere|mostre|execute|rode|verifique|veja|olhe|explique|corrija|conserte|implemente|refatore|teste|abra|leia|coloque|faça|suba)',
    please: 'por favor',
    thanks: 'obrigado|obrigada|valeu|perfeito|ótimo|muito bom|legal',
    symptom: 'não funciona|falha|falham|quebrado|quebrada|travou',
    status: '^(?:vejo|vi|funciona|o teste|os testes|o build)',
  },
}

export const italian: LatinCues = {
  words:
    "il|lo|la|i|gli|le|un|una|uno|e|è|non|per|con|che|di|del|della|nel|nella|si|mai|sempre|noi|questo|questa|usiamo|sono|ora|grazie|puoi|potresti|come|perché|test|prima|senza|aggiungi|era|ricorda|ricordati|abbiamo|meglio|poi|da|dei|delle|al|alla|d'ora|c'è|l'|deve|devono|preferisco|in|usa|ho|tutti|tutte|ai|sul|su|ogni|c'era|più|siamo|passati|supportiamo|facciamo|niente|futuro|sì|mostra",
  cues: {
    always: 'sempre|ogni volta|in tutti i casi|senza eccezioni',
    never: 'mai|in nessun caso|per nessun motivo',
    standing: 'sempre|ogni volta|mai|in nessun caso|vietato|vietata',
    fromNowOn:
      "d'ora in poi|d'ora in avanti|da ora in poi|da adesso in poi|in futuro|in generale|per convenzione|la nostra regola",
    remember: 'ricorda|ricordati|tieni a mente|tieni presente|non dimenticare',
    must: 'deve|devono|bisogna|non deve|non devono|non si può|obbligatorio|dobbiamo|occorre|va fatto',
    should: 'dovrebbe|dovrebbero|dovremmo',
    banFirst:
      '^(?:per favore,? )?(?:non (?:usare|fare|scrivere|mettere|toccare|aggiungere|cancellare|modificare|caricare|usate|committare|pushare|creare)|mai|evita|smetti di|niente)',
    prefer: 'preferisco|preferiamo|preferirei|non mi piace|mi piace di più',
    dontWant: 'non voglio|non vogliamo',
    wantThat: 'voglio che|vogliamo che|voglio tutti|voglio tutte',
    decided: 'abbiamo (?:deciso|scelto|concordato|optato)|si è deciso',
    weDecide: 'abbiamo (?:deciso|scelto|concordato|optato)|restiamo con|teniamo',
    switched: '(?:siamo passati|abbiamo migrato|siamo migrati|passati) (?:\\p{L}+ ){0,3}(?:a|al|alla|su)',
    goWith: 'andiamo con|usiamo pure|scegliamo',
    lets: 'andiamo con|scegliamo|teniamo',
    weDo: '(?:usiamo|utilizziamo|scriviamo|pubblichiamo|abbiamo|salviamo|testiamo|facciamo)',
    weDont: 'non (?:usiamo|utilizziamo|scriviamo|pubblichiamo|abbiamo|salviamo|facciamo|testiamo)',
    our: 'nostro|nostra|nostri|nostre',
    aboutWe: '^noi',
    no: '^(?:no|non è così|è sbagliato|sbagliato|non è (?:vero|corretto))',
    refuted: 'è sbagliato|non è (?:così|vero|corretto|giusto)|ti sbagli',
    isNot: 'non è|non sono',
    noLonger: 'non \\S+ più|obsoleto|obsoleta|deprecato|sostituito da|sostituita da',
    insteadOf: 'invece di|al posto di|anziché|piuttosto che',
    useInstead: '(?:usa|utilizza|usate|usare)\\s.{1,60} (?:invece di|al posto di|anziché)',
    itWas: "(?:il problema|la causa|l'errore|il motivo|il bug) (?:era|è|stava|fu)|la causa|è venuto fuori|era dovuto",
    correctWay: '(?:il modo|la maniera) (?:corretto|corretta|giusto|giusta)',
    approach: "l'approccio è|il nostro approccio|la strategia è",
    because: 'perché|poiché|altrimenti|dato che|visto che|a causa',
    soThat: 'affinché|così che|in modo che',
    onlyWhen: 'solo se|solo quando|solo con|solo in|soltanto|solamente|tranne|a meno che|eccetto|solo il|solo dopo',
    ask: 'senza (?:chiedere|chiedermi|chiedermelo)|chiedimi|chiedi prima',
    hedge: 'forse|probabilmente|magari|credo che|può darsi',
    canYou: 'puoi|potresti|possiamo|potremmo|può',
    asks: "^(?:come mai|come|perché|qual|quale|quali|dove|chi|quando|quanto|che cosa|cosa|c'è un)",
    orders:
      '^(?:per favore,? )?(?:aggiungi|crea|scrivi|rimuovi|elimina|cancella|rinomina|cambia|modifica|mostra|esegui|lancia|controlla|guarda|spiega|correggi|sistema|implementa|rifattorizza|prova|apri|leggi|metti|fai|carica)',
    please: 'per favore|per piacere',
    thanks: 'grazie|perfetto|ottimo|fantastico|molto bene',
    symptom: 'non funziona|fallisce|falliscono|si blocca|rotto|rotta',
    status: '^(?:vedo|ho visto|funziona|il test|i test|la build)',
  },
}
