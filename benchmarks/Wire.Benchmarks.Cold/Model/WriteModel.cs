using System;
using System.IO;
using System.Linq;
using System.Text;
using Microsoft.Build.Framework;
using Microsoft.Build.Utilities;

/// <summary>
/// The task of the build that writes the classes whose first messages are measured, and the same as messages of Protocol Buffers.
/// </summary>
public class WriteModel : Task
{
    private const int Classes = 100;

    // The type of a member, that of the same in Protocol Buffers, and a value.
    private static readonly string[][] Members =
    {
        new[] { "int", "int32", "{0} + 1" },
        new[] { "string", "string", "\"text \" + {0}" },
        new[] { "long", "int64", "{0} * 1000000007L" },
        new[] { "double", "double", "{0} + 0.5" },
        new[] { "bool", "bool", "true" },
        new[] { "System.Collections.Generic.List<int>", "repeated int32", "[{0}, 2, 3]" },
        new[] { "float", "float", "{0} + 0.25f" },
        new[] { "System.Collections.Generic.List<string>", "repeated string", "[\"a\", \"b\"]" },
        new[] { "Address", "AddressMessage", "null" },
        new[] { "uint", "uint32", "{0}u" },
        new[] { "ulong", "uint64", "{0}ul" },
    };

    [Required]
    public string Folder { get; set; } = "";

    public override bool Execute()
    {
        Directory.CreateDirectory(Folder);
        File.WriteAllText(Path.Combine(Folder, "Model.g.cs"), Code());
        File.WriteAllText(Path.Combine(Folder, "model.proto"), Proto());
        return true;
    }

    // The number of a member's kind: each class has five others.
    private static int Kind(int type, int member)
    {
        return ((type * 3) + (member * (1 + (type % 5)))) % Members.Length;
    }

    private static string Value(int type, int member, bool proto)
    {
        string[] kind = Members[Kind(type, member)];
        return kind[0] == "Address"
            ? "new " + (proto ? "AddressMessage" : "Address") + " { Street = \"High Street\", Number = " + type + " }"
            : string.Format(kind[2], type);
    }

    private static string Assignments(int type, bool proto)
    {
        return string.Join(", ", Enumerable.Range(0, 5).Select(i => "M" + i + " = " + Value(type, i, proto)).Select(
            text => proto ? text.Replace("= [", "= { ").Replace("]", " }") : text));
    }

    private static string Code()
    {
        var text = new StringBuilder();
        text.AppendLine("namespace Bench.Cold;");
        text.AppendLine("#nullable disable");
        text.AppendLine("public sealed class Address { public string Street { get; set; } public int Number { get; set; } }");
        for (int i = 0; i < Classes; i++)
        {
            string members = string.Concat(
                Enumerable.Range(0, 5).Select(j => "public " + Members[Kind(i, j)][0] + " M" + j + " { get; set; } "));
            text.AppendLine("public sealed class Type" + i + " { " + members + "}");
        }

        text.AppendLine("internal static class Model {");
        text.AppendLine("public static System.Collections.Generic.IEnumerable<System.Type> Types => [");
        text.AppendLine(string.Join(", ", Enumerable.Range(0, Classes).Select(i => "typeof(Type" + i + ")")) + "];");
        AppendVisits(text, "Visit", "Visitor", "Type", false);
        AppendVisits(text, "VisitMessages", "MessageVisitor", "Message", true);
        text.AppendLine("}");
        text.AppendLine(string.Concat(Enumerable.Range(0, Classes).Select(
            i => "[System.Text.Json.Serialization.JsonSerializable(typeof(Type" + i + "))]\n")));
        text.AppendLine("internal sealed partial class ModelContext : System.Text.Json.Serialization.JsonSerializerContext;");
        return text.ToString();
    }

    // A method for each type: what is not visited is not compiled.
    private static void AppendVisits(StringBuilder text, string name, string visitor, string type, bool proto)
    {
        text.AppendLine("public static void " + name + "(int count, " + visitor + " visitor) {");
        for (int i = 0; i < Classes; i++)
        {
            text.AppendLine("if (count > " + i + ") { " + name + i + "(visitor); } else { return; }");
        }

        text.AppendLine("}");
        for (int i = 0; i < Classes; i++)
        {
            text.AppendLine("private static void " + name + i + "(" + visitor + " visitor) => visitor.Visit(new " + type + i + " { "
                + Assignments(i, proto) + " }" + (proto ? ", " + type + i + ".Parser" : "") + ");");
        }
    }

    private static string Proto()
    {
        var text = new StringBuilder();
        text.AppendLine("syntax = \"proto3\";");
        text.AppendLine("package cold;");
        text.AppendLine("option csharp_namespace = \"Bench.Cold\";");
        text.AppendLine("message AddressMessage { string street = 1; int32 number = 2; }");
        for (int i = 0; i < Classes; i++)
        {
            string members = string.Concat(Enumerable.Range(0, 5).Select(j => Members[Kind(i, j)][1] + " m" + j + " = " + (j + 1) + "; "));
            text.AppendLine("message Message" + i + " { " + members + "}");
        }

        return text.ToString();
    }
}
