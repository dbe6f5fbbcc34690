using Packing;

// Errors are written as MSBuild reads them, so that they end the build that runs this.
try
{
    switch (args)
    {
        case ["docs", string assembly, string documentation, string output, .. string[] references]:
            new PublicDocumentation(assembly, references).Write(documentation, output);
            return 0;
        case ["readme", string readme, string root, string output, .. string[] address]:
            var packed = new PackageReadme(readme, root, address.SingleOrDefault());
            packed.Write(output);
            Console.Write(string.Concat(packed.Pages.Select(page => page + "\n")));
            return 0;
        case ["table", string folder]:
            Console.Write(PackageTable.From(folder));
            return 0;
        case ["table", string folder, string page]:
            string table = PackageTable.From(folder);
            Console.Write(table);
            PackageTable.Write(table, page);
            return 0;
        default:
            Console.Error.WriteLine("""
                usage: docs ASSEMBLY XML OUTPUT [REFERENCE ...]   the documentation of public members alone
                       readme README ROOT FOLDER [ADDRESS]        it and the pages that it leads to, which are listed; links below the
                                                                  address, or as text
                       table FOLDER [PAGE]                        the packages of a folder, as a table; of the page too
                """);
            return 2;
    }
}
catch (Exception e) when (e is InvalidDataException or IOException)
{
    Console.Error.WriteLine($"packing : error PACK001: {e.Message}");
    return 1;
}
