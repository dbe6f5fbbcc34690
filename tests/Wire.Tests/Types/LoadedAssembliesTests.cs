using Wire.Tests.Testing;

namespace Wire.Tests.Types;

/// <summary>The table of .NET's types costs a program none of the assemblies that it does not use.</summary>
public sealed class LoadedAssembliesTests
{
    [Fact]
    public void A_message_loads_no_assembly_of_types_that_it_does_not_have()
    {
        string[] lines = FreshProcess.Run(StartupHook.Assemblies);

        Assert.Equal("7 a 1.5", lines.FirstOrDefault());
        Assert.Contains("Wire", lines);
        string[] unused =
        [
            "System.Text.RegularExpressions", "System.Net.Mail", "System.Net.Primitives", "System.Net.Http",
            "System.Net.NetworkInformation", "System.Drawing.Primitives",
            "System.Private.Xml", "System.Private.Xml.Linq", "System.Xml.XDocument", "System.Text.Json", "System.ObjectModel",
        ];
        Assert.Empty(unused.Intersect(lines));
    }
}
