using Wire.Runtime;

namespace Wire.Filtering;

/// <summary>
/// The types that published research on .NET deserialization names as ways to run an attacker's code, reach files or the network, or read
/// unfiltered bytes when they are created or filled. No rule about assemblies, namespaces, base types, attributes or names allows them, or
/// types that derive from or implement them; their members are never called.
/// </summary>
/// <remarks>
/// A type is recognized by the full name of its definition alone: the assembly of a .NET type changes between releases, and most of these
/// belong to libraries that Wire does not reference. A program's own type with such a name is refused too.
/// </remarks>
internal static class Gadgets
{
    // A frozen set takes longer to make than most programs would ever spend asking it.
    private static readonly HashSet<string> Names = new(
    [
        // They call a method whose type and name are data: "Friday the 13th: JSON Attacks" (Muñoz and Mirosh, Black Hat USA 2017);
        // ysoserial.net, the generators of the same names; the OWASP cheat sheet on deserialization.
        "System.Windows.Data.ObjectDataProvider",
        "System.Data.Services.Internal.ExpandedWrapper`2",
        "System.Configuration.Install.AssemblyInstaller",
        "System.Activities.Presentation.WorkflowDesigner",
        "System.Windows.ResourceDictionary",
        "System.Windows.Forms.BindingSource",
        "Microsoft.Exchange.Management.SystemManager.WinForms.ExchangeSettingsProvider",
        "System.Management.Automation.PSObject",
        "System.Windows.Markup.XamlReader",
        "System.Windows.Setter",
        "System.Xaml.XamlServices",
        "System.Delegate",
        "System.Workflow.ComponentModel.Activity",
        "System.Workflow.ComponentModel.AppSettings",
        "System.Workflow.ComponentModel.Serialization.ActivitySurrogateSelector",
        "System.Workflow.ComponentModel.Serialization.ActivitySurrogateSelector+ObjectSurrogate+ObjectSerializedRef",
        "System.Activities.Activity",
        "System.Activities.XamlIntegration.ActivityXamlServices",

        // They hold bytes that a formatter reads, with any type in them: ysoserial.net; the deny lists of Hyperion and RavenDB;
        // CodeQL's lists of unsafe types for C#.
        "System.Security.Claims.ClaimsIdentity",
        "System.Security.Claims.ClaimsPrincipal",
        "System.Security.Claims.WindowsClaimsIdentity",
        "System.Security.Principal.GenericPrincipal",
        "System.Security.Principal.WindowsClaimsIdentity",
        "System.Security.Principal.WindowsIdentity",
        "System.Security.Principal.WindowsPrincipal",
        "Microsoft.IdentityModel.Claims.WindowsClaimsIdentity",
        "Microsoft.IdentityModel.Tokens.SessionSecurityToken",
        "System.IdentityModel.Tokens.SessionSecurityToken",
        "System.Web.Security.RolePrincipal",
        "System.Web.UI.MobileControls.SessionViewState+SessionViewStateHistoryItem",
        "System.Windows.Forms.AxHost+State",
        "System.Drawing.Design.ToolboxItemContainer",
        "System.Drawing.Design.ToolboxItemContainer+ToolboxItemSerializer",
        "System.Data.DataSet",
        "System.Data.DataTable",
        "System.Data.DataViewManager",
        "System.Resources.ResourceReader",
        "System.Resources.ResourceSet",
        "System.Resources.ResXResourceReader",
        "System.Resources.ResXResourceSet",
        "System.Resources.ResXDataNode",
        "System.Configuration.SettingsPropertyValue",
        "System.Management.IWbemClassObjectFreeThreaded",
        "Microsoft.VisualStudio.Text.Formatting.TextFormattingRunProperties",
        "Apache.NMS.ActiveMQ.Commands.ActiveMQObjectMessage",
        "System.Messaging.BinaryMessageFormatter",

        // The formatters and their settings: Microsoft's guide to the security of BinaryFormatter.
        "System.Runtime.Serialization.IFormatter",
        "System.Runtime.Serialization.ISerializationSurrogate",
        "System.Runtime.Serialization.ISurrogateSelector",
        "System.Runtime.Serialization.NetDataContractSerializer",
        "System.Runtime.Serialization.SerializationBinder",
        "System.Runtime.Serialization.XmlObjectSerializer",
        "System.Runtime.Serialization.Formatters.Binary.BinaryFormatter",
        "System.Web.Script.Serialization.JavaScriptSerializer",
        "System.Web.UI.IStateFormatter",
        "System.Web.UI.LosFormatter",
        "System.Web.UI.ObjectStateFormatter",
        "System.Xml.Serialization.XmlSerializer",

        // Their getters call, load or read: "Exploiting Hardened .NET Deserialization" (Bazydło, Hexacon 2023) and the getter and
        // third-party gadgets that ysoserial.net has from it. SecurityException, which is there too, is an exception: Wire writes
        // the fields of those and calls none of their getters.
        "System.CodeDom.Compiler.CompilerResults",
        "System.Windows.Forms.CheckedListBox",
        "System.Windows.Forms.ComboBox",
        "System.Windows.Forms.ListBox",
        "System.Windows.Forms.PictureBox",
        "System.Windows.Forms.PropertyGrid",
        "System.Activities.Presentation.Internal.ManifestImages+XamlImageInfo",
        "WinRT.BaseActivationFactory",
        "Amazon.Runtime.Internal.Util.OptimisticLockedTextFile",
        "Apache.NMS.ActiveMQ.Transport.Failover.FailoverTransport",
        "Apache.NMS.ActiveMQ.Util.IdGenerator",
        "Google.Apis.Util.Store.FileDataStore",
        "Grpc.Core.Internal.UnmanagedLibrary",
        "Microsoft.ApplicationId.Framework.InfiniteProgressPage",
        "Microsoft.ApplicationInsights.Extensibility.Implementation.Tracing.FileDiagnosticsTelemetryModule",
        "Microsoft.Azure.Cosmos.Query.Core.QueryPlan.QueryPartitionProvider",
        "Microsoft.Build.Tasks.Windows.ResourcesGenerator+LazyFileStream",
        "Microsoft.VisualBasic.Logging.FileLogTraceListener",
        "Microsoft.Web.Deployment.GroupedIEnumerable`1+GroupEnumerator",
        "Microsoft.Web.Deployment.ReadOnlyStreamFromStrings",
        "MongoDB.Libmongocrypt.LibraryLoader+WindowsLibrary",
        "NLog.Internal.FileAppenders.SingleProcessFileAppender",
        "NLog.Targets.FileTarget",
        "Xunit.Sdk.TestFrameworkDiscoverer+PreserveWorkingFolder",
        "Xunit.Xunit1AssemblyInfo",
        "Xunit.Xunit1Executor",

        // Processes, code, files and the network themselves; temporary files that a finalizer deletes (SonarSource's rule S5773);
        // remote objects ("Finding and Exploiting .NET Remoting over HTTP", Code White 2022).
        "System.AppDomain",
        "System.AppDomainManager",
        "System.CodeDom.Compiler.CodeDomProvider",
        "System.CodeDom.Compiler.TempFileCollection",
        "System.ComponentModel.BackgroundWorker",
        "System.ComponentModel.Design.DesigntimeLicenseContext",
        "System.Diagnostics.Process",
        "System.Diagnostics.ProcessStartInfo",
        "System.Diagnostics.TraceListener",
        "System.IO.FileSystemInfo",
        "System.IO.FileSystemWatcher",
        "System.IO.Stream",
        "System.IO.TextReader",
        "System.IO.TextWriter",
        "System.Media.SoundPlayer",
        "System.Net.Http.HttpMessageHandler",
        "System.Net.Http.HttpMessageInvoker",
        "System.Net.Sockets.Socket",
        "System.Net.WebClient",
        "System.Net.WebRequest",
        "System.Reflection.Assembly",
        "System.Reflection.MemberInfo",
        "System.Reflection.Module",
        "System.Runtime.InteropServices.SafeHandle",
        "System.Runtime.Loader.AssemblyDependencyResolver",
        "System.Runtime.Loader.AssemblyLoadContext",
        "System.Runtime.Remoting.ObjRef",
        "System.Runtime.Remoting.ObjectHandle",
        "System.Runtime.Remoting.Proxies.RealProxy",
        "System.Threading.Tasks.Task",
        "System.Threading.Thread",
        "System.Timers.Timer",
        "System.Xml.XmlDocument",
        "System.Xml.XmlReader",
        "System.Xml.XmlResolver",
        "System.Xml.Xsl.XslCompiledTransform",
        "System.Xml.Xsl.XslTransform",
    ],
    StringComparer.Ordinal);

    public static bool Contains(Type type) => type.WithBasesAndInterfaces().Any(IsNamed);

    private static bool IsNamed(Type type) => Names.Contains((type.IsGenericType ? type.GetGenericTypeDefinition() : type).OwnName() ?? "");
}
