/// How the window looks: dark, so that the pictures shine.
enum Style {
    static let sheet = """
        window, stack, gridview, .page { background: #211f28; color: #e6e3ee; }
        gridview > child { padding: 6px; border-radius: 8px; background: none; }
        gridview > child:hover { background: #322f3d; }
        .page { padding: 20px; }
        .caption { font-size: 12px; color: #a7a2b8; }
        .failure { color: #f2b8b5; }
        .heading { font-size: 18px; font-weight: bold; }
        progressbar trough { min-height: 8px; background: #37343f; }
        progressbar progress { min-height: 8px; background: #3584e4; }
        """
}
