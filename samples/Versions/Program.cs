using System.Globalization;
using Versions;

// The same values look the same wherever this runs.
CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;

bool asExpected = Matrix.Run();
Console.WriteLine();
asExpected &= Deployments.Run();
Console.WriteLine();
asExpected &= Between.Run();
Console.WriteLine();
asExpected &= Contracts.Run(
    new Versions.Release1.Release(), new Versions.Release2.Release(), new Versions.Release3.Release(), new Versions.Release4.Release());
Console.WriteLine(asExpected ? "Everything is as docs/versioning.md says." : "NOT as docs/versioning.md says: see the lines with '!'.");
return asExpected ? 0 : 1;
