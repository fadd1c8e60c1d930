"""Words that try to become markup, script, style or an address, wherever they are shown.

``hit(n)`` is what each of them would call if it ran, ``CANARY`` is an address that nothing may ask for, § is its
number. The collection is our own. That it is dangerous, ``tests/e2e/test_hostile_words.py`` proves: it shows it raw.
"""

from __future__ import annotations

CANARY = "127.0.0.1:9"

_TEMPLATES = (
    # Elements that run something by themselves.
    "<script>hit(§)</script>",
    "<ScRiPt\t>hit(§)</sCrIpT >",
    "<img src=x onerror=hit(§)>",
    "<img src=x onerror=&#104;it(§)>",
    "<svg onload=hit(§)>",
    "<svg><script>hit(§)</script></svg>",
    "<svg><animate onbegin=hit(§) attributeName=x dur=1s>",
    "<svg><a xlink:href=javascript:hit(§)><rect width=9 height=9 /></a></svg>",
    "<svg><use href='data:image/svg+xml,<svg id=x onload=hit(§)/>#x'/></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=hit(§)></style></mglyph></table></mtext></math>",
    "<math href=javascript:hit(§)>m</math>",
    "<body onload=hit(§)>",
    "<input autofocus onfocus=hit(§)>",
    "<details open ontoggle=hit(§)><summary>d</summary></details>",
    "<video><source onerror=hit(§)></video>",
    "<audio src=x onerror=hit(§)></audio>",
    "<marquee onstart=hit(§)>m</marquee>",
    "<iframe srcdoc='<script>parent.hit(§)</script>'></iframe>",
    "<iframe src=javascript:parent.hit(§)></iframe>",
    "<object data=javascript:hit(§)></object>",
    "<embed src=//CANARY/§>",
    "<form action=javascript:hit(§)><button>go</button></form>",
    "<button formaction=javascript:hit(§)>go</button>",
    "<template shadowrootmode=open><img src=x onerror=hit(§)></template>",
    "<p style=animation-name:spin onanimationstart=hit(§)>p</p><style>@keyframes spin{}</style>",
    # Out of the element or the attribute they stand in.
    "</textarea><img src=x onerror=hit(§)>",
    "</title><script>hit(§)</script>",
    "</style><script>hit(§)</script>",
    "</script><script>hit(§)</script>",
    "</noscript></template></select></option><img src=x onerror=hit(§)>",
    "</del></ins></mark></span></q><img src=x onerror=hit(§)>",
    "--><img src=x onerror=hit(§)><!--",
    "]]><img src=x onerror=hit(§)>",
    '"><img src=x onerror=hit(§)>',
    "'><img src=x onerror=hit(§)>",
    '" onmouseover="hit(§)" autofocus tabindex=0 onfocus="hit(§)" x="',
    "' onmouseover='hit(§)' autofocus tabindex=0 onfocus='hit(§)' x='",
    "` onmouseover=hit(§) x=`",
    "x onmouseover=hit(§) autofocus onfocus=hit(§) y",
    # Addresses.
    "javascript:hit(§)//",
    "JaVaScRiPt&colon;hit(§)",
    "java\tscript:hit(§)",
    "data:text/html,<script>hit(§)</script>",
    "vbscript:hit(§)",
    "//CANARY/§",
    "[link](javascript:hit(§)) ![image](http://CANARY/§)",
    "<javascript:hit(§)> [l]: javascript:hit(§)",
    # What asks for something elsewhere, or sends the page there.
    "<img src=//CANARY/§>",
    "<link rel=stylesheet href=//CANARY/§>",
    "<style>@import '//CANARY/§';*{background:url(//CANARY/§)}</style>",
    "<p style=background:url(//CANARY/§)>p</p>",
    "<base href=//CANARY/§/>",
    "<meta http-equiv=refresh content='0;url=http://CANARY/§'>",
    # What a script of ours might act on.
    "<div hx-get=//CANARY/§ hx-trigger=load hx-on::load=hit(§)>d</div>",
    "<div id=cards data-order=0 hx-on:click=hit(§)>d</div>",
    "<p id=main name=seq data-check=§>p</p>",
    "</span><script src=//CANARY/§.js></script>",
    "\\u003cscript\\u003ehit(§)\\u003c/script\\u003e \\x3cimg src=x onerror=hit(§)\\x3e",
    "'-hit(§)-' ';hit(§)// \\';hit(§)// ${hit(§)} `${hit(§)}`",
    # Languages of templates.
    "{{7*7}} {{ settings.SECRET_KEY }} {% debug %} {% include 'x' %} {# # #}",
    "${7*7} #{7*7} <%= 7*7 %> {{constructor.constructor('hit(§)')()}} ${{<%[%'\"}}%\\",
    "%s %d %(name)s {0} {name.__class__} $name ${name}",
    # Text that is not what it looks like.
    "&lt;script&gt;hit(§)&lt;/script&gt; &#60;img src=x onerror=hit(§)&#62;",
    "\uff1cscript\uff1ehit(§)\uff1c/script\uff1e \u02bahit(§)\u02ba",
    "\u202e<img src=x onerror=hit(§)>\u202c \u2066<b>\u2069 \u200b\u200d\ufeff",
    "\u2028<script>hit(§)</script>\u2029",
    "e\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301 hit(§) \U000e0041\U000e0042",
    "=cmd|' /C calc'!A# +1+1 @SUM(1) -2",
    "hit(§)" + "W" * 150,
)

#: Each with a number of its own, so that what ran can be told.
PAYLOADS: tuple[str, ...] = tuple(
    template.replace("CANARY", CANARY).replace("§", str(number)) for number, template in enumerate(_TEMPLATES)
)
