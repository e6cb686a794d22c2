"""Puts the files outside of docs/ that the documents link to into the site, below project/, and rewrites the links between both."""

import os
import posixpath
import re

from mkdocs.structure.files import File

DOCS = "docs/"
PROJECT = "project/"
# The address of a Markdown link, or of a reference; titles are not used in these documents.
LINK = re.compile(r"(\]\()([^)\s]+)(\))")


def in_repository(page):
    """The path in the repository of a page of the site."""
    return page[len(PROJECT):] if page.startswith(PROJECT) else DOCS + page


def in_site(path):
    """The path in the site of a file of the repository. mkdocs takes a link to a name without a dot for one to a directory."""
    name = path if "." in posixpath.basename(path) else path + ".txt"
    return name[len(DOCS):] if path.startswith(DOCS) else PROJECT + name


def target(page, address):
    """The file of the repository that a page links to; None for other addresses."""
    path = address.split("#", 1)[0]
    if not path or re.match(r"[a-z]+:", path):
        return None
    return posixpath.normpath(posixpath.join(posixpath.dirname(in_repository(page)), path))


def texts(markdown):
    """Splits a page into text and code, in turn."""
    return re.split(r"(^ *```.*?^ *```$)", markdown, flags=re.MULTILINE | re.DOTALL)


def on_files(files, config):
    root = os.path.dirname(config["config_file_path"])
    known = {file.src_path for file in files}
    waiting = [file.src_path for file in files.documentation_pages()]
    while waiting:
        page = waiting.pop()
        with open(os.path.join(root, in_repository(page)), encoding="utf-8") as file:
            text = "".join(texts(file.read())[::2])
        for address in (match.group(2) for match in LINK.finditer(text)):
            path = target(page, address)
            if path is None or in_site(path) in known or not os.path.isfile(os.path.join(root, path)):
                continue
            known.add(in_site(path))
            files.append(outside(path, root, config))
            if path.endswith(".md"):
                waiting.append(in_site(path))
    return files


def outside(path, root, config):
    file = File(in_site(path), root, config["site_dir"], config["use_directory_urls"])
    file.abs_src_path = os.path.join(root, path)
    return file


def on_page_markdown(markdown, page, config, files):
    here = page.file.src_path

    def rewritten(match):
        path = target(here, match.group(2))
        if path is None:
            return match.group(0)
        anchor = match.group(2)[len(match.group(2).split("#", 1)[0]):]
        return match.group(1) + posixpath.relpath(in_site(path), posixpath.dirname(here)) + anchor + match.group(3)

    parts = texts(markdown)
    parts[::2] = [LINK.sub(rewritten, part) for part in parts[::2]]
    return "".join(parts)
