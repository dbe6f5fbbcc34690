using System.Runtime.InteropServices;
using System.Text;
using Wire.Testing;

namespace Wire.Tool.Tests;

public sealed class ContractTests : IDisposable
{
    private const string Shop = """
        namespace Shop;
        public sealed class Order { public int Id { get; set; } public Line[]? Lines { get; set; } }
        public sealed class Line { public string? Article { get; set; } }
        """;

    private readonly Compiled _compiled = new();

    public void Dispose() => _compiled.Dispose();

    [Fact]
    public void The_contract_of_types_is_that_of_the_library()
    {
        string expected = WireContract.From(new Serializer(), typeof(Order), typeof(Chain)).ToString();
        string assembly = typeof(Order).Assembly.Location;
        ToolRun run = ToolRun.Start("contract", assembly, "--type", "Wire.Tool.Tests.Order", "--type", "Chain");
        Assert.Equal(new ToolRun(0, expected, ""), run);
        string file = _compiled["own.contract"];
        Assert.Equal(
            new ToolRun(0, "", ""), ToolRun.Start("contract", assembly, "--type", "Wire.Tool.Tests.Order", "--type", "Chain", "-o", file));
        Assert.Equal(expected, File.ReadAllText(file));
        Assert.Equal(new ToolRun(0, expected, ""), ToolRun.Start("contract", file));
        ToolRun same = ToolRun.Start("contract", file, assembly, "--type", "Wire.Tool.Tests.Order", "--type", "Chain");
        Assert.Equal(new ToolRun(0, "Everything is compatible.\n", ""), same);
    }

    [Fact]
    public void The_types_of_an_assembly_are_its_public_messages()
    {
        string assembly = _compiled.Compile("Shop", Shop + """

            public struct Money { public decimal Amount; }
            public class Box<T> { public T? Content; }
            public class Outer { public class Inner { public int A; } internal class Hidden { public int A; } }
            public static class Extensions { }
            public abstract class Message { }
            public interface IMessage { }
            public enum State { Open }
            public delegate void Handler();
            public class Bad : System.Exception { }
            public class Mark : System.Attribute { }
            internal class Hidden { public int A; }
            public class Worker : System.IO.MemoryStream { }
            public ref struct Window { }
            """);
        ToolRun run = ToolRun.Start("contract", assembly);
        Assert.Equal(0, run.ExitCode);
        Assert.Equal(
            ["Line", "Money", "Order", "Outer", "Outer+Inner"],
            run.Lines.Where(line => line.StartsWith("root ", StringComparison.Ordinal)).Select(line => line.Split("Shop.")[1]));
        Assert.Contains(
            "1 type(s) are left out, such as this one: 'Shop.Worker' cannot be serialized: ", run.Error, StringComparison.Ordinal);
        Assert.Equal(run.Output, WireContract.Parse(run.Output).ToString());
        ToolRun all = ToolRun.Start("contract", assembly, "--type", "Shop.Outer.*", "--type", "Shop.Money", "--type", "Shop.Hidden");
        Assert.Equal(
            ["root class Shop.Hidden", "root struct Shop.Money", "root class Shop.Outer+Inner"],
            all.Lines.Where(line => line.StartsWith("root ", StringComparison.Ordinal)));
        ToolRun named = ToolRun.Start("contract", assembly, "--type", "Worker");
        Assert.Equal(2, named.ExitCode);
        Assert.StartsWith($"wire: {assembly}: 'Shop.Worker' cannot be serialized: ", named.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1, 2)]
    [InlineData(2, 1)]
    [InlineData(2, 3)]
    [InlineData(3, 4)]
    [InlineData(1, 4)]
    public void A_comparison_is_the_report_of_the_library(int before, int after)
    {
        var (old, now) = (Release(before), Release(after));
        ContractComparison expected = WireContract.Load(now).CompareWith(WireContract.Load(old));
        ToolRun run = ToolRun.Start("contract", old, now);
        Assert.Equal((expected.ToString(), ""), (run.Output, run.Errors));
        bool isNewRefused = expected.IsReadByOld >= ContractVerdict.RefusesSome;
        Assert.Equal(expected.BreaksOldPayloads || isNewRefused ? 1 : 0, run.ExitCode);
        Assert.Equal(expected.BreaksOldPayloads ? 1 : 0, ToolRun.Start("contract", old, now, "--backward").ExitCode);
    }

    [Fact]
    public void A_change_that_breaks_ends_with_1_and_names_the_line_that_mends_it()
    {
        string contract = _compiled["shop.contract"];
        ToolRun.Start("contract", _compiled.Compile("old/Shop", Shop), "-o", contract);
        string renamed = _compiled.Compile("renamed/Shop", Shop.Replace("int Id", "int Number", StringComparison.Ordinal));
        ToolRun loses = ToolRun.Start("contract", contract, renamed);
        Assert.Equal((0, ""), (loses.ExitCode, loses.Errors));
        Assert.StartsWith("Compatible, but loses data.\n", loses.Output, StringComparison.Ordinal);
        Assert.Contains(
            "      -> [WireName(\"Id\")] on Shop.Order.Number, if that is what has become of it\n", loses.Output, StringComparison.Ordinal);
        string retyped = _compiled.Compile("retyped/Shop", Shop.Replace("int Id", "System.Guid Id", StringComparison.Ordinal));
        ToolRun breaks = ToolRun.Start("contract", contract, retyped, "--backward");
        Assert.Equal((1, ""), (breaks.ExitCode, breaks.Errors));
        Assert.StartsWith(
            "BREAKS: old payloads are refused by the new types, and new ones by the old types.\n", breaks.Output, StringComparison.Ordinal);
        Assert.Equal(breaks.Output, ToolRun.Start("contract", _compiled["old/Shop.dll"], retyped).Output);
        Assert.Equal(0, ToolRun.Start("contract", contract, _compiled["old/Shop.dll"]).ExitCode);
    }

    [Fact]
    public void The_options_decide_names_and_known_types()
    {
        string assembly = _compiled.Compile("Shop", Shop + """

            internal static class Setup
            {
                private static Wire.SerializerOptions Options => new() { KnownTypes = [new(7, typeof(Order))] };
                private static readonly Wire.Serializer Serializer = new(Options);
                private static Wire.SerializerOptions Make() => Options;
                public static string Text => "a";
                public static Wire.SerializerOptions? None => null;
                public static Wire.SerializerOptions Broken => throw new System.InvalidOperationException("no file\u001b[2J");
                public static Wire.SerializerOptions Of(int number) => Options;
                public static Wire.SerializerOptions Stored => new() { Limits = new() { MaxDepth = Read() } };
                private static int Read() => new System.IO.FileInfo("/nowhere.options").OpenRead().ReadByte();
            }
            internal static class Static
            {
                private static readonly int Number = int.Parse("x");
                public static Wire.SerializerOptions Options => new() { Limits = new() { MaxDepth = Number } };
            }
            """);
        Assert.All(["Options", "Serializer", "Make"], member =>
        {
            ToolRun run = ToolRun.Start("contract", assembly, "--type", "Order", "--options", $"Shop.Setup.{member}");
            Assert.Equal((0, ""), (run.ExitCode, run.Errors));
            Assert.Contains("\n  known as 7\n", run.Output, StringComparison.Ordinal);
        });
        AssertWrong("Setup.Text", "Setup.Text returns System.String, and neither SerializerOptions nor a Serializer.");
        AssertWrong("Setup.None", "Setup.None returns null, and neither SerializerOptions nor a Serializer.");
        AssertWrong("Setup.Broken", "Setup.Broken ends with InvalidOperationException: no file\\u001B[2J");
        AssertWrong(
            "Setup.Stored", "Setup.Stored ends with FileNotFoundException: Could not find file '/nowhere.options'.");
        AssertWrong("Static.Options", "Static.Options ends with FormatException: The input string 'x' was not in a correct format.");
        AssertWrong("Setup.Of", "Shop.Setup has no static property, field, or method without parameters 'Of'.");
        AssertWrong(
            "Setup.Option", "Shop.Setup has no static property, field, or method without parameters 'Option'. There is Options.");
        AssertWrong("Stup.Options", "It has no type 'Stup'. There is Shop.Setup.");

        void AssertWrong(string member, string message)
        {
            ToolRun run = ToolRun.Start("contract", assembly, "--options", member);
            Assert.Equal((2, ""), (run.ExitCode, run.Output));
            Assert.Equal($"wire: {assembly}: {message}", run.Error);
        }
    }

    [Fact]
    public void No_code_of_the_types_runs()
    {
        string mark = _compiled["ran"];
        string assembly = _compiled.Compile("Shop", $$"""
            namespace Shop;
            public sealed class Order
            {
                static Order() => Loading.Run();
                public Order() => Loading.Run();
                public int Id { get; set; } = Loading.Run();
                [Mark] public Line Line;
            }
            public struct Line { static Line() => Loading.Run(); public int A; }
            public sealed class Mark : System.Attribute { public Mark() => Loading.Run(); }
            internal static class Loading
            {
                public static int Run() { System.IO.File.WriteAllText("{{mark}}", ""); return 1; }
                public static Wire.SerializerOptions Options { get { Run(); return new(); } }
            }
            """);
        Assert.Equal(0, ToolRun.Start("contract", assembly, assembly).ExitCode);
        Assert.False(File.Exists(mark));
        Assert.Equal(0, ToolRun.Start("contract", assembly, "--options", "Loading.Options").ExitCode);
        Assert.True(File.Exists(mark));
    }

    [Fact]
    public void A_type_that_is_not_there_is_answered_with_those_that_are_near()
    {
        string assembly = _compiled.Compile("Shop", Shop + """

            public class Box<T> { public T? Content; }
            public class Old { public class Line { } }
            """);
        AssertWrong("Ordr", "It has no type 'Ordr'. There is Shop.Order.");
        AssertWrong("Shop.order", "It has no type 'Shop.order'. There is Shop.Order.");
        AssertWrong("Customer", "It has no type 'Customer'.");
        AssertWrong("Line\u001b[2J", "It has no type 'Line\\u001B[2J'.");
        AssertWrong("Line", "'Line' may be Shop.Line or Shop.Old.Line.");
        AssertWrong("Shp.*", "It has no type 'Shp.*'. There is Shop.*.");
        AssertWrong("Shop.Box`1", "'Shop.Box`1' is generic: a contract has it where a member declares it with its arguments.");

        void AssertWrong(string type, string message)
        {
            ToolRun run = ToolRun.Start("contract", assembly, "--type", type);
            Assert.Equal((2, ""), (run.ExitCode, run.Output));
            Assert.Equal($"wire: {assembly}: {message}", run.Error);
        }
    }

    [Fact]
    public void What_an_assembly_needs_is_taken_from_beside_it_or_named()
    {
        string parts = _compiled.Compile("Parts", "namespace Parts; public class Part { public int A; }");
        string shop = _compiled.Compile("Shop", "namespace Shop; public class Order { public Parts.Part? Part; }", parts);
        ToolRun with = ToolRun.Start("contract", shop);
        Assert.Equal((0, ""), (with.ExitCode, with.Errors));
        Assert.Contains("\nclass Parts.Part\n", with.Output, StringComparison.Ordinal);
        File.Delete(parts);
        ToolRun without = ToolRun.Start("contract", shop);
        Assert.Equal((2, ""), (without.ExitCode, without.Output));
        Assert.StartsWith(
            $"wire: {shop}: It needs Parts, Version=0.0.0.0, Culture=neutral, PublicKeyToken=null, which is neither beside it nor in .NET ",
            without.Error,
            StringComparison.Ordinal);
    }

    [Fact]
    public void What_an_assembly_needs_of_ASP_NET_Core_is_beside_NET()
    {
        string web = Directory.EnumerateDirectories(
            Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", "Microsoft.AspNetCore.App"), "10.*").First();
        string shop = _compiled.Compile(
            "Shop",
            "namespace Shop; public class Order { public Microsoft.AspNetCore.Http.PathString Path; }",
            Path.Combine(web, "Microsoft.AspNetCore.Http.Abstractions.dll"));
        ToolRun run = ToolRun.Start("contract", shop);
        Assert.Equal((0, ""), (run.ExitCode, run.Errors));
        Assert.Contains("\nstruct Microsoft.AspNetCore.Http.PathString\n", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void A_damaged_list_of_what_an_assembly_needs_is_one_line()
    {
        string shop = _compiled.Compile("Shop", Shop);
        _compiled.Write("Shop.deps.json", "{ no");
        ToolRun run = ToolRun.Start("contract", shop);
        Assert.Equal((2, ""), (run.ExitCode, run.Output));
        Assert.StartsWith($"wire: {shop}: What it needs cannot be found out: ", run.Error, StringComparison.Ordinal);
    }

    // Another copy of it would be of other types than the tool's.
    [Fact]
    public void What_looks_into_payloads_is_the_tools_own()
    {
        string inspection = typeof(WireContract).Assembly.Location;
        string shop = _compiled.Compile("Shop", """
            namespace Shop;
            public class Order { public int A; }
            public static class Setup
            {
                public static Wire.Serializer Checked()
                {
                    var serializer = new Wire.Serializer();
                    Wire.WireContract.From(serializer, typeof(Order));
                    return serializer;
                }
            }
            """, typeof(Serializer).Assembly.Location, inspection);
        File.Copy(inspection, _compiled[Path.GetFileName(inspection)]);
        ToolRun run = ToolRun.Start("contract", shop, "--type", "Order", "--options", "Shop.Setup.Checked");
        Assert.Equal((0, ""), (run.ExitCode, run.Errors));
    }

    [Theory]
    [InlineData("1.0.0.0", "Wire")]
    [InlineData("2.99.0.0", "Wire")]
    [InlineData("2.99.0.0", "Wire.Inspection")]
    [InlineData("3.0.0.0", "Wire")]
    public void An_assembly_of_another_version_of_Wire_is_refused(string version, string assembly)
    {
        string wire = _compiled.Compile(assembly, $$"""
            [assembly: System.Reflection.AssemblyVersion("{{version}}")]
            namespace Wire; public class WireName2Attribute : System.Attribute { }
            """, []);
        string shop = _compiled.Compile("Shop", "namespace Shop; [Wire.WireName2] public class Order { public int A; }", wire);
        ToolRun run = ToolRun.Start("contract", shop);
        Assert.Equal((2, ""), (run.ExitCode, run.Output));
        Assert.Equal(
            $"wire: {shop}: It was built with Wire {version}, and the tool has 2.0.0.0: install the tool of that version.", run.Error);
    }

    [Fact]
    public void An_assembly_whose_Wire_has_more_is_refused()
    {
        string wire = _compiled.Compile("Wire", """
            [assembly: System.Reflection.AssemblyVersion("2.0.0.0")]
            [assembly: System.Reflection.AssemblyInformationalVersion("2.0.0-later+0123")]
            namespace Wire; public class Later { }
            """, []);
        string shop = _compiled.Compile("Shop", "namespace Shop; public class Order { public Wire.Later? A; }", wire);
        ToolRun run = ToolRun.Start("contract", shop);
        Assert.Equal((2, ""), (run.ExitCode, run.Output));
        Assert.StartsWith($"wire: {shop}: It does not fit what it needs: ", run.Error, StringComparison.Ordinal);
        Assert.Contains(" It comes with Wire 2.0.0-later, and the tool has 2.0.0", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void A_damaged_text_names_its_line()
    {
        string[] lines = File.ReadAllLines(Release(1));
        int member = Array.FindIndex(lines, line => line.StartsWith("  Number: int", StringComparison.Ordinal));
        lines[member] = lines[member].Replace("int", "in\u001bt", StringComparison.Ordinal);
        string file = _compiled.Write("damaged.contract", string.Join('\n', lines));
        ToolRun run = ToolRun.Start("contract", Release(1), file);
        Assert.Equal((2, ""), (run.ExitCode, run.Output));
        Assert.StartsWith($"wire: {file}: Line {member + 1} of the contract is damaged: ", run.Error, StringComparison.Ordinal);
        Assert.DoesNotContain('\u001b', run.Error);
        ToolRun empty = ToolRun.With(Stream.Null, "contract", "-", Release(1));
        Assert.StartsWith("wire: standard input: Line ", empty.Error, StringComparison.Ordinal);
        Assert.Equal(2, empty.ExitCode);
    }

    [Fact]
    public void What_is_no_assembly_says_so()
    {
        string file = _compiled.Write("native.dll", "MZ and so on");
        ToolRun run = ToolRun.Start("contract", file);
        Assert.Equal(2, run.ExitCode);
        Assert.Equal($"wire: {file}: The file is no assembly of .NET, or a damaged one.", run.Error);
        Assert.Equal(2, ToolRun.Start("contract", _compiled["none.dll"]).ExitCode);
        Assert.Contains("The file cannot be read", ToolRun.Start("contract", _compiled["none.dll"]).Error, StringComparison.Ordinal);
        string empty = _compiled.Compile("Empty", "namespace Shop; internal class Order { }");
        ToolRun none = ToolRun.Start("contract", empty);
        Assert.EndsWith("It has no public type that can be written. Give --type.", none.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Names_begin_no_line_and_move_no_cursor()
    {
        const string Name = "\"a\\nb\\u001b[2J\\u202e\"";
        string old = _compiled.Compile("old/Shop", Shop);
        string now = _compiled.Compile(
            "now/Shop", Shop.Replace("public int Id", $"[Wire.WireName({Name})] public int Id", StringComparison.Ordinal));
        ToolRun run = ToolRun.Start("contract", old, now);
        Assert.Contains("loses a\\u000Ab\\u001B[2J\\u202E: it ", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain(run.Lines, line => line.StartsWith('b'));
        Assert.DoesNotContain(run.Output, character => character != '\n' && (char.IsControl(character) || character == '\u202e'));
    }

    [Fact]
    public void A_text_may_come_through_a_pipe()
    {
        string text = File.ReadAllText(Release(1)).Replace("\n", "\r\n", StringComparison.Ordinal);
        using var input = new TrickleStream([.. Encoding.UTF8.Preamble, .. Encoding.UTF8.GetBytes(text)], 1);
        Assert.Equal(new ToolRun(0, "Everything is compatible.\n", ""), ToolRun.With(input, "contract", "-", Release(1)));
        using var assembly = new MemoryStream("MZ"u8.ToArray());
        ToolRun piped = ToolRun.With(assembly, "contract", "-");
        Assert.EndsWith("An assembly is given by its path, so that what it needs is found.", piped.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void The_command_line_has_to_fit()
    {
        Assert.Equal(2, ToolRun.Start("contract").ExitCode);
        Assert.Equal(2, ToolRun.Start("contract", "a", "b", "c").ExitCode);
        Assert.Contains("only one of the two can be -", ToolRun.Start("contract", "-", "-").Error, StringComparison.Ordinal);
        Assert.Contains("no file is one", ToolRun.Start("contract", Release(1), "--type", "A").Error, StringComparison.Ordinal);
        Assert.Contains("-o is for", ToolRun.Start("contract", Release(1), Release(2), "-o", "a").Error, StringComparison.Ordinal);
        Assert.Contains("--options takes a type", ToolRun.Start(
            "contract", typeof(Order).Assembly.Location, "--options", "Options").Error, StringComparison.Ordinal);
        ToolRun unwritable = ToolRun.Start("contract", Release(1), "-o", Path.GetTempPath());
        Assert.Equal(2, unwritable.ExitCode);
        Assert.Contains(": The file cannot be written: ", unwritable.Error, StringComparison.Ordinal);
    }

    private static string Release(int number) => Path.Combine(Repository.Root, "samples", "Versions", $"Release{number}.contract.txt");
}
